import { existsSync, mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { agent, client, connectForEachTest } from "../testing/each-test.ts";
import { LONG_WAIT } from "../testing/eventually.ts";
import { filesContaining } from "../testing/files-containing.ts";
import { highManifest } from "../testing/test-manifest.ts";

const MANIFEST = highManifest({ run_command: "shell:exec" });

describe.skipIf(process.platform === "win32")("a command an agent asks for", () => {
  connectForEachTest({ added: [["shell:exec"], "Runner", MANIFEST] });
  let folder: string;
  beforeEach(() => {
    folder = scratchFolder();
  });

  it("is shown with its program each time, and runs in the folder that the person gives", async () => {
    const argv = ["touch", "made"];
    const first = agent.call("run_command", { argv, directory: folder });
    const card = await client.waitingCard();
    expect(card).toMatchObject({
      sensitivity: "high",
      answers: ["deny", "allow_once", "always_deny"],
      root_wanted: { suggested_path: folder, access: "read_write" },
      arguments: { directory: folder },
      preview: { kind: "command" },
    });
    expect(existsSync(join(folder, "made"))).toBe(false);
    await client.answer("allow_once", folder);
    expect(await first).toMatchObject({ result: { exit_code: 0, stdout: "", stderr: "" } });
    expect(existsSync(join(folder, "made"))).toBe(true);

    const called = agent.call("run_command", { argv: ["touch", "again"], directory: folder });
    await client.answer("deny");
    expect(await called).toEqual({ refused: "user_refused" });
    expect(existsSync(join(folder, "again"))).toBe(false);
  });

  it("never runs in the client's own folder, and nobody is asked", async () => {
    mkdirSync(join(client.dataDir, "deep"));
    const directory = join(realpathSync(client.dataDir), "deep");
    expect(await agent.call("run_command", { argv: ["ls"], directory })).toEqual({
      refused: "outside_roots",
    });
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("shows the last lines that it wrote while it runs, and they are stored nowhere", async () => {
    const argv = ["sh", "-c", "echo almost there; sleep 1000"];
    const running = agent.call("run_command", { argv, directory: folder });
    await client.answer("allow_once", folder);
    const shown = async () => (await client.snapshot()).running[0]?.progress?.tail;
    await expect.poll(shown, LONG_WAIT).toEqual(["almost there"]);
    await client.setScopes(agent, []);
    await running;
    expect((await client.snapshot()).running).toEqual([]);
    await client.close();
    expect(filesContaining(client.dataDir, "almost there\n")).toEqual([]);
  });

  it("is stopped when the agent loses its permission", async () => {
    const argv = ["sh", "-c", "echo up > up; sleep 1000"];
    const running = agent.call("run_command", { argv, directory: folder });
    await client.answer("allow_once", folder);
    await expect.poll(() => existsSync(join(folder, "up")), LONG_WAIT).toBe(true);
    await client.setScopes(agent, []);
    expect(await running).toEqual({ refused: "permission_revoked" });
  });
});
