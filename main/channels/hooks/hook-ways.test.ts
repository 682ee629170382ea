import { beforeEach, describe, expect, it } from "vitest";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import type { JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import type { HookAgent } from "./agent-tools.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

const RAN = { tool_name: "Bash", tool_input: { command: "make" } };
const MORE = { planFilePath: "/home/ada/.claude/plans/a.md" };
const ASKED = { question: "Which?", options: [{ label: "Red" }] };
const SILENT = { status: 0, stdout: "", stderr: "" };

let client: LaunchedClient;
let agent: HookedAgent;
beforeEach(async () => {
  client = await LaunchedClient.start();
});

async function connected(way: HookWay, name: HookAgent = "claude-code"): Promise<void> {
  agent = new HookedAgent(client, scratchFolder(), name);
  const first = agent.ask("Bash", { command: "true" });
  const { pairing_id, scopes } = await eventually(
    async () => (await client.snapshot()).pairings[0],
  );
  const granted_scopes = scopes.map(({ id }) => id);
  await client.call("pairing.answer", { pairing_id, accept: true, granted_scopes, hook_way: way });
  if (way === "check_everything" || name === "gemini") await client.answer("deny");
  await first;
}

const uses = (more: JsonObject = {}) =>
  agent.hook({ hook_event_name: "PreToolUse", ...RAN, tool_use_id: "u-1", ...more });
/** The agent's own question names no use. */
const asks = (more: JsonObject = {}) =>
  agent.hook({ hook_event_name: "PermissionRequest", ...RAN, ...more });
const reports = () =>
  agent.hook({ hook_event_name: "PostToolUse", ...RAN, tool_use_id: "u-1", tool_response: "ok" });
const decision = ({ stdout }: { stdout: string }) => JSON.parse(stdout).hookSpecificOutput.decision;
const log = () => client.log();
const deny = async () => {
  const { agent_id = "" } = (await client.snapshot()).agents[0] ?? {};
  const subject = { kind: "anything" } as const;
  const rule = {
    agent_id,
    covers: "run_command",
    subject,
    effect: "deny",
    time: "always",
  } as const;
  await client.call("rules.add", rule);
};

describe("ask here instead of there", () => {
  beforeEach(() => connected("ask_here"));

  it("what its own rules allow is only in the log, once it has run", async () => {
    expect(await uses()).toEqual(SILENT);
    expect(await log()).toEqual([]);
    expect(await reports()).toEqual(SILENT);
    const row = await eventually(async () => (await log()).find((one) => one.carried_out !== null));
    expect(row).toMatchObject({ decided_by: "agent", status: "ok", carried_out: "succeeded" });
  });

  it("what it would ask is asked here, and the answer is its own", async () => {
    await uses();
    const allowed = asks();
    await client.answer("allow_once");
    expect(decision(await allowed)).toEqual({ behavior: "allow" });
    await reports();
    const rows = await eventually(async () => {
      const all = await log();
      return all[0]?.carried_out === "succeeded" ? all : undefined;
    });
    expect(rows.map(({ decided_by }) => decided_by)).toEqual(["person"]);
    const denied = asks();
    await client.answer("deny");
    expect(decision(await denied)).toMatchObject({ behavior: "deny" });
  });

  it("an answer in its terminal takes the card away, by what it reports", async () => {
    await uses();
    const question = asks();
    await client.waitingCard();
    await reports();
    expect(await question).toEqual(SILENT);
    expect(await client.cards(0)).toEqual([]);
    const rows = await eventually(async () => {
      const all = await log();
      return all.length === 2 ? all : undefined;
    });
    expect(rows.map(({ decided_by }) => decided_by)).toEqual(["agent", "agent"]);
    expect((await client.snapshot()).missed.requests).toEqual([]);
  });

  it.each(["Stop", "UserPromptSubmit"])("and by going on: %s", async (hook_event_name) => {
    const question = asks();
    await client.waitingCard();
    expect(await agent.hook({ hook_event_name })).toEqual(SILENT);
    expect(await question).toEqual(SILENT);
    expect(await client.cards(0)).toEqual([]);
  });

  it("a plan is a question with a yes and a no, which can say why", async () => {
    const plan = { tool_name: "ExitPlanMode", tool_input: { plan: "# Plan", ...MORE } };
    expect(await uses(plan)).toEqual(SILENT);
    const question = asks(plan);
    const { request_id, tool_name, arguments: args } = await client.waitingCard();
    expect([tool_name, args]).toEqual(["approve_plan", { plan: "# Plan", also: MORE }]);
    const told = { request_id, message: "Add tests." };
    await client.call("consent.deny_and_tell", told);
    const { behavior, message } = decision(await question);
    expect(behavior).toBe("deny");
    expect(message).toMatch(/Keep planning\..*Add tests\./);
    // Claude Code takes a yes only with what its tool is to be given.
    const again = asks(plan);
    await client.answer("allow_once");
    expect(decision(await again)).toEqual({ behavior: "allow", updatedInput: plan.tool_input });
  });

  it("a question is answered by choosing, and goes back as it came, with the answers", async () => {
    const options = [{ label: "Red" }, { label: "Blue", description: "Cold" }];
    const tool_input = { questions: [{ question: "Which?", header: "Colour", options }] };
    const asked = { tool_name: "AskUserQuestion", tool_input };
    expect(await uses(asked)).toEqual(SILENT);
    const question = asks(asked);
    const { request_id, tool_name } = await client.waitingCard();
    expect(tool_name).toBe("answer_question");
    await client.call("consent.opened", { request_id });
    client.time.jump(500);
    const answer = (chosen?: Record<string, string>) =>
      client.call("consent.answer", {
        request_id,
        answer: "allow_once",
        ...(chosen && { chosen }),
      });
    for (const none of [undefined, {}, { Which: "Red" }, { "Which?": " " }]) {
      await expect(answer(none)).rejects.toThrow("not_offered");
    }
    await answer({ "Which?": "Blue" });
    const updatedInput = { ...tool_input, answers: { "Which?": "Blue" } };
    expect(decision(await question)).toEqual({ behavior: "allow", updatedInput });
    const more = asks(asked);
    await client.answer("deny");
    expect(decision(await more).message).toContain("does not want to answer");
  });

  it.each([
    ["of a shape that is not known", [{ question: "Which?", options: [{ label: "A", odd: 1 }] }]],
    ["two of one text", [ASKED, ASKED]],
  ])("questions %s are left to its own dialog: a yes would be no answer", async (_, questions) => {
    const tool_input = { questions: [...questions] };
    expect(await asks({ tool_name: "AskUserQuestion", tool_input })).toEqual(SILENT);
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("several pages wait together, and one that is denied ends the others", async () => {
    const tool_input = { urls: ["https://a.test/", "https://b.test/"] };
    const question = asks({ tool_name: "WebFetch", tool_input });
    const [first] = await client.cards(2);
    await client.call("consent.answer", { request_id: first?.request_id ?? "", answer: "deny" });
    expect(decision(await question)).toMatchObject({ behavior: "deny" });
    expect(await client.cards(0)).toEqual([]);
  });

  it("a session that goes on takes no card of another", async () => {
    const question = asks();
    await client.waitingCard();
    await agent.hook({ hook_event_name: "Stop", session_id: "s-2" });
    expect(await client.cards(1)).toHaveLength(1);
    await client.answer("deny");
    expect(decision(await question)).toMatchObject({ behavior: "deny" });
  });

  it("a high one waits nearly as long as its hook does", async () => {
    const question = asks({ tool_input: { command: "rm -rf build" } });
    const card = await client.waitingCard();
    expect(card).toMatchObject({ sensitivity: "high", timeout_ms: 270_000 });
    await client.answer("deny");
    await question;
  });

  it("what the person's rules deny does not run, whatever its own rules say", async () => {
    await deny();
    expect((await uses()).status).toBe(2);
    expect(await log()).toMatchObject([{ status: "denied", decided_by: "rule" }]);
  });

  it("while Consentry is not running, its own rules and dialog are there", async () => {
    await uses();
    await client.close();
    expect(await asks()).toEqual(SILENT);
    expect(await uses()).toEqual(SILENT);
  });

  it.each([
    ["its command line cannot be read", { command: "echo $(id)" }, "cannot be read exactly"],
    ["does harm", { command: "git push --force" }, "can do harm"],
    ["leaves its sandbox", { command: "make", dangerouslyDisableSandbox: true }, "leaves the sand"],
    ["leaves the project", { command: "cat /etc/hosts" }, "leaves the project"],
  ])("what %s is asked about, though its own rules allow it", async (_, tool_input, why) => {
    const told = JSON.parse((await uses({ tool_input })).stdout).hookSpecificOutput;
    expect(told).toMatchObject({ hookEventName: "PreToolUse", permissionDecision: "ask" });
    expect(told.permissionDecisionReason).toContain(why);
    expect((await client.snapshot()).consents).toEqual([]);
    // Its own question follows, and is the only one.
    const question = asks({ tool_input });
    expect(await client.waitingCard()).toMatchObject({ sensitivity: "high" });
    await client.answer("deny");
    expect(decision(await question)).toMatchObject({ behavior: "deny" });
  });

  it.each([
    ["a special place", "Write", { file_path: "/home/ada/.bashrc", content: "id" }],
    ["a tool that destroys", "mcp__tracker__delete_project", { project: "app" }],
    // Nobody can be shown it here.
    ["what is too large", "Write", { file_path: "a.txt", content: "x".repeat(100_000) }],
  ])("%s is asked about", async (_, tool_name, tool_input) => {
    const { stdout } = await uses({ tool_name, tool_input });
    expect(JSON.parse(stdout).hookSpecificOutput.permissionDecision).toBe("ask");
  });

  it("too large for a card: its own dialog decides, and the log says that it ran", async () => {
    const tool_input = { file_path: "a.txt", content: "x".repeat(100_000) };
    const large = { tool_name: "Write", tool_input };
    await uses(large);
    expect(await asks(large)).toEqual(SILENT);
    await agent.hook({ hook_event_name: "PostToolUse", ...large, tool_use_id: "u-1" });
    const row = await eventually(async () => (await log()).find(({ status }) => status === "ok"));
    expect(row).toMatchObject({ tool_name: "write_file", decided_by: "agent" });
  });

  it("what rules deny is denied, not asked about", async () => {
    await deny();
    expect((await uses({ tool_input: { command: "echo $(id)" } })).status).toBe(2);
  });

  it("can be changed at any time", async () => {
    const { agent_id = "" } = (await client.snapshot()).agents[0] ?? {};
    await client.call("agents.set_hook_way", { agent_id, way: "check_everything" });
    expect((await client.snapshot()).agents[0]?.hook_way).toBe("check_everything");
    const question = uses();
    await client.answer("allow_once");
    expect((await question).status).toBe(0);
    await client.close();
    expect((await uses()).status).toBe(2);
  });
});

it("only watch: nothing is held up but what a rule denies", async () => {
  await connected("only_watch");
  expect(await uses()).toEqual(SILENT);
  expect(await asks()).toEqual(SILENT);
  await reports();
  expect(await eventually(async () => (await log())[0])).toMatchObject({ decided_by: "agent" });
  await deny();
  expect((await uses()).status).toBe(2);
});

it("only watch: what is dangerous or too large for a card runs by its own rules", async () => {
  await connected("only_watch");
  for (const command of ["rm -rf ~", `echo ${"x".repeat(100_000)}`]) {
    expect(await uses({ tool_input: { command } })).toEqual(SILENT);
  }
});

describe("Codex", () => {
  it("has its dialog after the question, to which the person can leave it", async () => {
    await connected("ask_here", "codex");
    const question = asks();
    const { request_id, dialog_after } = await client.waitingCard();
    expect(dialog_after).toBe(true);
    await client.call("consent.answer_there", { request_id });
    expect(await question).toEqual(SILENT);
  });

  it("cannot be told to ask, so what is dangerous is decided before its own rules", async () => {
    await connected("ask_here", "codex");
    expect(await uses()).toEqual(SILENT);
    const tool_input = { command: "git push --force" };
    const question = uses({ tool_input });
    const { dialog_after, sensitivity } = await client.waitingCard();
    expect({ dialog_after, sensitivity }).toEqual({ dialog_after: false, sensitivity: "high" });
    await client.answer("allow_once");
    expect(await question).toEqual(SILENT);
    // Its own question about the same is answered already.
    expect(decision(await asks({ tool_input }))).toEqual({ behavior: "allow" });
    const again = uses({ tool_input, tool_use_id: "u-2" });
    await client.answer("deny");
    expect((await again).status).toBe(2);
  });

  it("is not asked again about what was allowed before", async () => {
    await connected("check_everything", "codex");
    const first = uses();
    await client.answer("allow_once");
    expect(await first).toEqual(SILENT);
    expect(decision(await asks())).toEqual({ behavior: "allow" });
    // With something more it is another question.
    const more = asks({ tool_input: { command: "make", description: "outside the sandbox" } });
    await client.answer("deny");
    expect(decision(await more)).toMatchObject({ behavior: "deny" });
  });
});

it("an agent without questions of its own is asked about what is more than reading", async () => {
  await connected("ask_here", "gemini");
  const tools = (tool_name: string, tool_input: JsonObject) =>
    agent.hook({ hook_event_name: "BeforeTool", tool_name, tool_input });
  expect(await tools("read_file", { path: "notes.md" })).toEqual(SILENT);
  const outside = tools("read_file", { absolute_path: "/etc/hosts" });
  await client.answer("deny");
  expect((await outside).status).toBe(2);
  const question = tools("run_shell_command", { command: "make" });
  await client.answer("deny");
  expect((await question).status).toBe(2);
});
