import { stat } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { agentKeyFile } from "./agent-files.ts";

const scratch = ScratchFolder.forEachTest();

it("an agent's keys lie in a folder of its own, for its account alone", async () => {
  const file = await agentKeyFile("agent-1", { home: scratch.base });
  await file.save(new Map([["a", Uint8Array.of(1)]]));
  await file.close();
  const path = join(scratch.base, ".hashee", "agent-1", "keys");
  expect((await stat(path)).size).toBeGreaterThan(0);
  if (process.platform === "win32") return;
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  expect((await stat(join(path, ".."))).mode & 0o777).toBe(0o700);
});

it("no agent's id leads out of that folder", async () => {
  for (const id of ["..", "../other", "a/b", "."]) {
    const file = await agentKeyFile(id, { home: scratch.base });
    await file.save(new Map());
    await file.close();
    const name = encodeURIComponent(id).replaceAll(".", "%2E");
    expect((await stat(join(scratch.base, ".hashee", name, "keys"))).isFile()).toBe(true);
  }
});

it("one process at a time has an agent's keys, and the next once they are closed", async () => {
  const place = { home: scratch.base, pause: async () => undefined };
  const first = await agentKeyFile("agent-1", place);
  await expect(agentKeyFile("agent-1", place)).rejects.toThrow(
    expect.objectContaining({ name: "InUseError" }),
  );
  await first.save(new Map([["a", Uint8Array.of(1)]]));
  const other = await agentKeyFile("agent-2", place);
  await first.close();
  const next = await agentKeyFile("agent-1", place);
  expect((await next.load()).get("a")).toEqual(Uint8Array.of(1));
  await Promise.all([next.close(), other.close()]);
});
