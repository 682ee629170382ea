import { mkdirSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

let client: LaunchedClient;
let agent: HookedAgent;
let other: string;
beforeEach(async () => {
  client = await LaunchedClient.start();
  agent = new HookedAgent(client, scratchFolder());
  await agent.connected(["agent:command", "agent:tool"]);
  other = join(agent.folder, "..", "other");
  mkdirSync(other, { recursive: true });
});

const npmTest = (more: JsonObject = {}) => agent.ask("Bash", { command: "npm test" }, more);
const happened = (hook_event_name: string, session_id = "s-1") =>
  agent.hook({ hook_event_name, session_id });

/** What is asked about; it is denied. */
async function asked(question: ReturnType<typeof npmTest>) {
  const card = await client.waitingCard();
  await client.answer("deny");
  expect((await question).status).toBe(2);
  return card;
}

const periods = async () => (await client.snapshot()).agents[0]?.quiet_periods ?? [];
const rules = async () => (await client.snapshot()).agents[0]?.rules ?? [];

describe("until a prompt ends", () => {
  it("is not offered by an agent that does not tell of prompts", async () => {
    expect((await asked(npmTest())).answers).not.toContain("allow_in_prompt");
    await happened("Stop");
    expect((await asked(npmTest())).answers).not.toContain("allow_in_prompt");
  });

  it.each(["Stop", "UserPromptSubmit", "SessionEnd"])(
    "what was allowed for a prompt ends with %s",
    async (end) => {
      await happened("UserPromptSubmit");
      const first = npmTest();
      expect((await client.waitingCard()).answers).toContain("allow_in_prompt");
      await client.answer("allow_in_prompt");
      expect((await first).status).toBe(0);
      expect(await periods()).toMatchObject([{ for_prompt: true }]);
      await happened("Stop", "s-2");
      expect((await npmTest()).status).toBe(0);
      await asked(npmTest({ session_id: "s-2" }));
      await happened(end);
      expect(await periods()).toEqual([]);
      const card = await asked(npmTest());
      expect(card.answers.includes("allow_in_prompt")).toBe(end === "UserPromptSubmit");
    },
  );

  it("nothing of it is there after a restart", async () => {
    await happened("UserPromptSubmit");
    const first = npmTest();
    await client.answer("allow_in_prompt");
    await first;
    await client.restart();
    expect(await periods()).toEqual([]);
    await asked(npmTest());
  });
});

describe("a project", () => {
  it("is where a rule from a card counts, in each of its sessions and in no other folder", async () => {
    const first = npmTest();
    const { rule_subjects, open_folders } = await client.waitingCard();
    const project = realpathSync(agent.folder);
    expect(open_folders).toEqual([project]);
    const subject = rule_subjects[0] ?? { kind: "anything" };
    await client.answer("allow_once", undefined, { subject, time: "always" });
    expect((await first).status).toBe(0);
    expect(await rules()).toMatchObject([{ effect: "allow", project }]);
    expect((await npmTest({ session_id: "s-2" })).status).toBe(0);
    await asked(npmTest({ session_id: "s-3", cwd: other }));
    await client.restart();
    expect((await npmTest({ session_id: "s-4" })).status).toBe(0);
    await asked(npmTest({ session_id: "s-5", cwd: other }));
  });

  it("is where a quiet period counts, also if its session goes on in another folder", async () => {
    const first = npmTest();
    await client.answer("allow_in_conversation");
    await first;
    expect(await periods()).toMatchObject([{ project: realpathSync(agent.folder) }]);
    expect((await npmTest()).status).toBe(0);
    await asked(npmTest({ session_id: "s-2" }));
    // After a restart, a session may be resumed elsewhere.
    await client.restart();
    await asked(npmTest({ cwd: other }));
  });

  it("says nothing of what is denied: that is denied everywhere", async () => {
    const line = "git push --force origin main && rm -r build";
    const question = agent.ask("Bash", { command: line });
    const { deny_subjects, sensitivity } = await client.waitingCard();
    expect(sensitivity).toBe("high");
    const begins = deny_subjects.map((each) => each.kind === "command" && each.begins);
    expect(begins).toEqual([["push"], [], ["-r"], []]);
    const subject = deny_subjects[0] ?? { kind: "anything" };
    await client.answer("deny", undefined, { subject, time: "always" });
    expect((await question).status).toBe(2);
    const [denying] = await rules();
    expect(denying).toMatchObject({ effect: "deny", subject: { begins: ["push"] } });
    expect(denying).not.toHaveProperty("project");
    for (const command of ["git push", "git status; env git push", "sh -c 'git push'"]) {
      const denied = await agent.ask("Bash", { command }, { session_id: "s-9", cwd: other });
      expect(denied.stderr, command).toContain("user_refused");
    }
    await asked(agent.ask("Bash", { command: "git pull" }));
    await asked(agent.ask("Bash", { command: "git pushed" }));
  });
});

describe("a tool of an MCP server", () => {
  const use = (tool: string, more: JsonObject = {}) => agent.ask(tool, { a: 1 }, more);
  const subject = { kind: "tool", tool: "mcp__notes__list" } as const;

  it("is allowed for as long as the person says, by its name and in the project", async () => {
    const first = use("mcp__notes__list");
    expect(await client.waitingCard()).toMatchObject({ rule_subjects: [subject] });
    await client.answer("allow_once", undefined, { subject, time: "always" });
    expect((await first).status).toBe(0);
    expect((await use("mcp__notes__list", { session_id: "s-2" })).status).toBe(0);
    await asked(use("mcp__notes__add"));
    await asked(use("mcp__notes__list", { session_id: "s-3", cwd: other }));
    const { agent_id = "" } = (await client.snapshot()).agents[0] ?? {};
    const tried = (about: string) =>
      client.call("rules.test", { agent_id, tool_name: "use_tool", about });
    const elsewhere = { outcome: "ask", why: "project", rule_id: (await rules())[0]?.rule_id };
    expect(await tried("mcp__notes__list")).toMatchObject(elsewhere);
    expect(await tried("mcp__notes__add")).toMatchObject({ outcome: "ask", why: "nothing" });
    await use("mcp__notes__list");
    expect(await tried("mcp__notes__list")).toMatchObject({ outcome: "allow", why: "rule" });
  });

  it("is denied by its name, in any spelling", async () => {
    const first = use("mcp__notes__list");
    expect(await client.waitingCard()).toMatchObject({ deny_subjects: [subject] });
    await client.answer("deny", undefined, { subject, time: "always" });
    expect((await first).status).toBe(2);
    expect((await use("mcp__Notes__list")).stderr).toContain("user_refused");
    await asked(use("mcp__notes__add"));
  });
});
