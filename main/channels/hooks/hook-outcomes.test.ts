import { beforeEach, expect, it } from "vitest";
import type { ActivityStatus } from "../../../app/bridge/views.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

let client: LaunchedClient;
let agent: HookedAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new HookedAgent(client, scratchFolder());
  await agent.connected(["agent:command"]);
});

const RAN = { tool_name: "Bash", tool_input: { command: "make" }, tool_use_id: "use-1" };

async function allowed(): Promise<void> {
  const question = agent.hook({ hook_event_name: "PreToolUse", ...RAN });
  await client.answer("allow_once");
  expect((await question).status).toBe(0);
}

const report = (more: JsonObject) => agent.hook({ ...RAN, ...more });
const newest = async () => (await client.log())[0]?.carried_out;

/** A report is answered before it is written down. */
const becomes = (status: string) =>
  eventually(async () => ((await newest()) === status ? true : undefined));

/** How the newest call ended, as the log shows, finds and counts it. */
async function shown(): Promise<ActivityStatus | undefined> {
  const [row] = await client.log();
  if (row === undefined) return undefined;
  const { status } = row;
  const found = await client.call("activity.page", { limit: 9, status });
  expect(found.rows.map(({ line_id }) => line_id)).toEqual([row.line_id]);
  const { days } = await client.call("activity.summary", {});
  expect(days).toMatchObject([{ ok: 0, error: 0, [status]: 1 }]);
  return status;
}

it.each([
  ["PostToolUse", { tool_response: { stdout: "built in a secret place" } }, "succeeded", "ok"],
  ["PostToolUseFailure", { error: "a secret place is missing" }, "failed", "error"],
] as const)(
  "%s is joined to the decision, without what it says",
  async (event, said, status, ended) => {
    await allowed();
    expect(await newest()).toBeNull();
    const end = await report({ hook_event_name: event, ...said });
    expect(end).toEqual({ status: 0, stdout: "", stderr: "" });
    await becomes(status);
    expect(await shown()).toBe(ended);

    const records = client.inDatabase((db) => db.prepare("SELECT * FROM audit_log").all());
    expect(records.at(-1)).toMatchObject({
      kind: "carried_out",
      status,
      decided_seq: records.length - 1,
      result_digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(JSON.stringify(records)).not.toContain("secret place");
    expect(await client.call("activity.verify", {})).toMatchObject({ ok: true });
  },
);

const quiet = { status: 0, stdout: "", stderr: "" };
const HALF = "\\ud83d";
const DEEP = `${"[".repeat(80)}${"]".repeat(80)}`;

it.each([
  ["half a character", `{"stdout":"bad ${HALF} here"}`, null],
  ["a number beyond 2^53", `{"stdout":90071992547409931}`, null],
  ["80 levels", DEEP, null],
  ["one name twice", `{"a":1,"a":2}`, null],
  ["9 MiB", `{"stdout":"${"x".repeat(9 * 1024 * 1024)}"}`, null],
  ["4 MiB", `{"stdout":"${"x".repeat(4 * 1024 * 1024)}"}`, expect.any(String)],
] as const)("a report with %s is a report: the log has its outcome", async (_, said, digest) => {
  await allowed();
  const report = `{"session_id":"s-1","cwd":${JSON.stringify(agent.folder)},"hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"use-1","tool_response":${said}}`;
  expect(await agent.hookBytes(Buffer.from(report))).toEqual(quiet);
  await becomes("succeeded");
  const records = client.inDatabase((db) => db.prepare("SELECT * FROM audit_log").all());
  expect(records.at(-1)).toMatchObject({ kind: "carried_out", result_digest: digest });
  expect(await client.call("activity.verify", {})).toMatchObject({ ok: true });
});

it("a report with bytes that are no text, or after byte order marks, is a report", async () => {
  await allowed();
  const text = `{"session_id":"s-1","cwd":"/","hook_event_name":"PostToolUse","tool_name":"Bash","tool_input":{"command":"make"},"tool_use_id":"use-1","tool_response":"\xff"}`;
  const marks = Buffer.from("\uFEFF\uFEFF");
  expect(await agent.hookBytes(Buffer.concat([marks, Buffer.from(text, "latin1")]))).toEqual(quiet);
  await becomes("succeeded");
});

it("a question that cannot be read is no report, whatever its tool's input says it is", async () => {
  const text = `{"session_id":"s-1","cwd":"/","hook_event_name":"PreToolUse","tool_name":"Bash","tool_input":{"command":"make ${HALF}","hook_event_name":"PostToolUse"}}`;
  const { status, stderr } = await agent.hookBytes(Buffer.from(text));
  expect([status, stderr]).toEqual([2, expect.stringContaining("(unreadable)")]);
});

it("a second report changes nothing, nor does one about what was not allowed", async () => {
  await allowed();
  await report({ hook_event_name: "PostToolUse", tool_response: {} });
  await report({ hook_event_name: "PostToolUseFailure", error: "x" });
  await becomes("succeeded");

  const denied = agent.ask("Bash", { command: "rm -r /" }, { tool_use_id: "use-2" });
  await client.answer("deny");
  expect((await denied).status).toBe(2);
  await agent.hook({
    hook_event_name: "PostToolUse",
    tool_name: "Bash",
    tool_input: { command: "rm -r /" },
    tool_use_id: "use-2",
  });
  expect(await newest()).toBeNull();
});

it("a report ends without a word when Consentry is not running, and when it says nothing known", async () => {
  const strange = { ...RAN, tool_name: "Task", hook_event_name: "PostToolUse" };
  expect(await agent.hook(strange)).toEqual({ status: 0, stdout: "", stderr: "" });
  await client.close();
  expect(await report({ hook_event_name: "PostToolUse" })).toEqual({
    status: 0,
    stdout: "",
    stderr: "",
  });
});
