import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { LONG_WAIT } from "../testing/eventually.ts";
import { highManifest } from "../testing/test-manifest.ts";

const SCOPES = ["filesystem:write", "shell:exec"];
const MANIFEST = highManifest({
  write_file: "filesystem:write",
  move_file: "filesystem:write",
  run_command: "shell:exec",
});

describe("folders that the person revokes or restricts to reading", () => {
  connectForEachTest({ added: [SCOPES, "Writer", MANIFEST] });
  let base: string;
  beforeEach(() => {
    base = scratchFolder();
    mkdirSync(join(base, "one", "kept"), { recursive: true });
    mkdirSync(join(base, "two"));
    writeFileSync(join(base, "one", "file"), "file");
  });

  const give = (name: string, access: "read" | "read_write") =>
    client.call("permissions.add_root", { agent_id: agent.id, path: join(base, name), access });

  const written = () => agent.call("write_file", { path: join(base, "one", "new"), content: "x" });

  it("withdraw a card that asks about something in them", async () => {
    await give("one", "read_write");
    const call = written();
    await client.waitingCard();
    const [root] = (await client.card(agent)).roots;
    await client.call("permissions.remove_root", {
      agent_id: agent.id,
      root_id: root?.root_id ?? "",
    });
    expect(await call).toEqual({ refused: "permission_revoked" });
    await client.cards(0);
    expect(existsSync(join(base, "one", "new"))).toBe(false);
  });

  it("are asked for again where only reading was left", async () => {
    await give("one", "read_write");
    const shown = written();
    await client.waitingCard();
    await give("one", "read");
    expect(await shown).toEqual({ refused: "permission_revoked" });
    const again = written();
    expect(await client.waitingCard()).toMatchObject({
      root_wanted: { suggested_path: join(base, "one"), access: "read_write" },
    });
    await client.answer("deny");
    expect(await again).toEqual({ refused: "user_refused" });
  });

  it.skipIf(process.platform === "win32")("stop what runs there", async () => {
    await give("one", "read_write");
    for (const narrow of [() => give("one/kept", "read"), () => give("one", "read")]) {
      const args = { argv: ["sleep", "600"], directory: join(base, "one") };
      const call = agent.call("run_command", args);
      await client.answer("allow_once");
      await vi.waitUntil(async () => (await client.snapshot()).running.length === 1, LONG_WAIT);
      await narrow();
      expect(await call).toEqual({ refused: "permission_revoked" });
    }
  });

  it("that were given for reading can get write access for one end of a move", async () => {
    await give("one", "read_write");
    await give("two", "read");
    const moved = agent.call("move_file", {
      from: join(base, "one", "file"),
      to: join(base, "two", "file"),
    });
    expect(await client.waitingCard()).toMatchObject({
      root_wanted: { suggested_path: join(base, "two"), access: "read_write" },
    });
    await client.answer("allow_once", join(base, "two"));
    expect(await moved).toEqual({ result: { type: "file", overwrote: false } });
    expect(readFileSync(join(base, "two", "file"), "utf8")).toBe("file");
  });
});
