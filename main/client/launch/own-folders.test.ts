import { linkSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LaunchedClient } from "../testing/launched-client.ts";
import type { TestAgent } from "../testing/test-agent.ts";
import { highManifest } from "../testing/test-manifest.ts";

const TOOLS = {
  read_file: "filesystem:read",
  list_directory: "filesystem:read",
  get_file_info: "filesystem:read",
  search_files: "filesystem:read",
  write_file: "filesystem:write",
  edit_file: "filesystem:write",
  move_file: "filesystem:write",
  delete_file: "filesystem:write",
  run_command: "shell:exec",
};
const ANCHOR = '{"version":1,"head":{"seq":7,"hash":"00"},"breaks":[]}';
const SCOPES = ["filesystem:read", "filesystem:write", "shell:exec"];

/** The person gives an agent a folder that contains one of ours, and allows all requests. */
describe.skipIf(process.platform === "win32")(
  "an agent that is given what is around our own",
  () => {
    let client: LaunchedClient;
    let agent: TestAgent;
    let config: string;
    let anchor: string;
    beforeEach(async () => {
      client = await LaunchedClient.start();
      await client.restart();
      agent = await client.addAgent(SCOPES, "Rummager", highManifest(TOOLS));
      config = dirname(client.anchors);
      // That of another data folder, so that nothing writes to it in the meantime.
      anchor = join(client.anchors, "another.json");
      writeFileSync(anchor, ANCHOR);
      writeFileSync(join(config, "theirs.txt"), "theirs");
      await give(config);
    });

    const give = (path: string) =>
      client.call("permissions.add_root", { agent_id: agent.id, path, access: "read_write" });

    /** The result of a call that the person allows, if they are asked at all. */
    async function allowed(tool: string, args: JsonObject) {
      const outcome = agent.call(tool, args);
      const asked = client.waitingCard().then(() => client.answer("allow_once"));
      asked.catch(() => {});
      return await outcome;
    }
    const REFUSED = { refused: "outside_roots" };

    it("cannot read a token of another program on this computer, by any of its names", async () => {
      const token = join(client.tokens, "editor.token");
      writeFileSync(token, "secret");
      const around = dirname(client.tokens);
      linkSync(token, join(around, "same-token"));
      await give(around);
      expect(await allowed("read_file", { path: token })).toEqual(REFUSED);
      expect(await allowed("read_file", { path: join(around, "same-token") })).toEqual(REFUSED);
    });

    it("cannot read, empty, replace, move or delete the anchor", async () => {
      const path = anchor;
      const to = join(config, "moved");
      const edits = [{ old_text: "version", new_text: "x" }];
      for (const [tool, args] of [
        ["read_file", { path }],
        ["get_file_info", { path }],
        ["list_directory", { path: client.anchors }],
        ["search_files", { path: client.anchors, glob: "**" }],
        ["write_file", { path, content: "{}" }],
        ["edit_file", { path, edits }],
        ["move_file", { from: path, to }],
        ["move_file", { from: client.anchors, to }],
        ["move_file", { from: join(config, "theirs.txt"), to: path, overwrite: true }],
        ["delete_file", { path }],
        ["delete_file", { path: client.anchors }],
        ["run_command", { argv: ["true"], directory: client.anchors }],
      ] as const) {
        expect([tool, await agent.call(tool, args)]).toEqual([tool, REFUSED]);
      }
      expect(readFileSync(anchor, "utf8")).toBe(ANCHOR);
    });

    it("sees nothing of it in a sandbox, where there is one", async () => {
      const script =
        'cat "$1"/*; ls -A "$1"; rm -rf "$1"; mv "$1" moved; echo x > "$1/x"; cat theirs.txt';
      const argv = ["sh", "-c", script, "sh", client.anchors];
      const called = agent.call("run_command", { argv, directory: config });
      const { preview } = await client.waitingCard();
      const hides = preview?.kind === "command" && preview.sandbox === "bubblewrap";
      await client.answer(hides ? "allow_once" : "deny");
      const outcome = hides ? { result: { stdout: "theirs" } } : { refused: "user_refused" };
      expect(await called).toMatchObject(outcome);
      expect(readFileSync(anchor, "utf8")).toBe(ANCHOR);
      expect(readdirSync(config).toSorted()).toEqual(["anchors", "theirs.txt"]);
    });

    it("cannot use another name of one of our files, or of a folder that contains one", async () => {
      const names = ["host.key", "identity.key", "hub.db", "consentry.db"];
      for (const name of names) linkSync(join(client.dataDir, name), join(config, name));
      linkSync(anchor, join(config, "another.json"));
      for (const name of [...names, "another.json"]) {
        const path = join(config, name);
        const before = readFileSync(path);
        for (const [tool, args] of [
          ["read_file", { path }],
          ["get_file_info", { path }],
          ["write_file", { path, content: "" }],
          ["edit_file", { path, edits: [{ old_text: "a", new_text: "b" }] }],
          ["move_file", { from: path, to: join(config, "moved") }],
          ["delete_file", { path }],
        ] as const) {
          expect([name, tool, await allowed(tool, args)]).toEqual([name, tool, REFUSED]);
        }
        expect(readFileSync(path).equals(before)).toBe(true);
      }
      const folder = join(config, "folder");
      mkdirSync(folder);
      linkSync(anchor, join(folder, "another.json"));
      const linked = { refused: "own_data_linked" };
      expect(await allowed("move_file", { from: folder, to: `${folder}-2` })).toEqual(linked);
      expect(await allowed("delete_file", { path: folder })).toEqual(linked);
      expect(await allowed("search_files", { path: config, text: "version" })).toMatchObject({
        result: { matches: [] },
      });
      expect(await allowed("run_command", { argv: ["ls"], directory: config })).toEqual(linked);
      await client.restart();
      const { notices } = await client.snapshot();
      expect(notices).toMatchObject([
        { code: "own_data_linked", params: { file_0: expect.stringContaining(client.dataDir) } },
      ]);
    });
  },
);
