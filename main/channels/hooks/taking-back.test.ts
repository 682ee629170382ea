import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

let client: LaunchedClient;
let agent: HookedAgent;
let note: string;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new HookedAgent(client, scratchFolder());
  note = join(agent.folder, "note.txt");
  writeFileSync(note, "one\n");
});

async function connected(way: HookWay): Promise<void> {
  const first = agent.ask("Bash", { command: "true" });
  const { pairing_id, scopes } = await eventually(
    async () => (await client.snapshot()).pairings[0],
  );
  const granted_scopes = scopes.map(({ id }) => id);
  await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes, hook_way: way });
  if (way === "check_everything") await client.answer("deny");
  await first;
}

const edit = (file_path: string) => ({
  tool_name: "Edit",
  tool_input: { file_path, old_string: "one", new_string: "two" },
  tool_use_id: "u-1",
});
const before = (use: JsonObject) => agent.hook({ hook_event_name: "PreToolUse", ...use });
const after = (use: JsonObject) =>
  agent.hook({ hook_event_name: "PostToolUse", tool_response: "ok", ...use });

/** The line of what the agent says is done. */
const reported = () =>
  eventually(async () => (await client.log()).find(({ carried_out }) => carried_out !== null));

async function takeBack(despite = false) {
  const [row] = await client.log();
  const which = { agent_id: row?.agent_id ?? "", call_id: row?.call_id ?? "", later: false };
  const view = await client.call("changes.look", which);
  if (view === null) throw new Error("nothing is kept");
  const { left } = await client.call("changes.take_back", { ...which, despite, seen: view.seen });
  return { states: view.places.map(({ state }) => state), left };
}

it.each(["check_everything", "ask_here", "only_watch"] as const)(
  "an edit of the agent's own is taken back once it is reported: %s",
  async (way) => {
    await connected(way);
    const asked = before(edit(note));
    if (way === "check_everything") await client.answer("allow_once");
    expect((await asked).status).toBe(0);
    writeFileSync(note, "two\n");
    await after(edit(note));
    await reported();
    expect(await takeBack()).toEqual({ states: ["ready"], left: 0 });
    expect(readFileSync(note, "utf8")).toBe("one\n");
  },
);

it("an edit that nobody has reported is taken back only if the person says so", async () => {
  await connected("check_everything");
  const asked = before(edit(note));
  await client.answer("allow_once");
  await asked;
  writeFileSync(note, "two\n");
  expect(await takeBack()).toEqual({ states: ["changed"], left: 1 });
  expect(readFileSync(note, "utf8")).toBe("two\n");
  expect(await takeBack(true)).toEqual({ states: ["changed"], left: 0 });
  expect(readFileSync(note, "utf8")).toBe("one\n");
});

it("what a link led to is what comes back, and the link stays", async () => {
  await connected("only_watch");
  const link = join(agent.folder, "link.txt");
  symlinkSync(note, link);
  await before(edit(link));
  writeFileSync(link, "two\n");
  await after(edit(link));
  await reported();
  expect(await takeBack()).toEqual({ states: ["ready"], left: 0 });
  expect(readFileSync(note, "utf8")).toBe("one\n");
});

it("a file that the agent has made goes to the trash", async () => {
  await connected("only_watch");
  const path = join(agent.folder, "new.txt");
  const use = { tool_name: "Write", tool_input: { file_path: path, content: "new\n" } };
  await before({ ...use, tool_use_id: "u-2" });
  writeFileSync(path, "new\n");
  await after({ ...use, tool_use_id: "u-2" });
  await reported();
  expect((await takeBack()).left).toBe(0);
  expect(() => readFileSync(path)).toThrow("ENOENT");
});
