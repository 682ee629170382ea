import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { requestLocally } from "../local/local-request.ts";
import type { HookDecision } from "./hook-answer.ts";
import { hookAccess } from "./hook-place.ts";
import { AskingHook } from "./testing/asking-hook.ts";

let client: LaunchedClient;
let project: string;
beforeEach(async () => {
  client = await LaunchedClient.start();
  project = join(client.dataDir, "..", "project");
  mkdirSync(project);
});
afterEach(() => client.end());

const ask = (tool_name: string, tool_input: JsonObject, limitMs?: number): Promise<HookDecision> =>
  new AskingHook(client, project).ask(
    tool_name,
    tool_input,
    limitMs === undefined ? {} : { limitMs },
  );

const SCOPES = ["agent:command", "agent:read", "agent:edit"];

/** The first question brings the request to connect. */
async function connected(scopes: readonly string[] = SCOPES): Promise<void> {
  const first = ask("Bash", { command: "true" });
  const pairing = await eventually(async () => (await client.snapshot()).pairings[0]);
  expect(pairing.name).toBe("Claude Code");
  await client.acceptPairing(pairing.code, scopes);
  if (scopes.includes("agent:command")) await client.answer("deny");
  await first;
}

it("the first question waits for the person to connect the agent, then for their answer", async () => {
  const first = ask("Bash", { command: "make all" });
  const pairing = await eventually(async () => (await client.snapshot()).pairings[0]);
  expect(pairing.local).toMatchObject({ asks: "connect", delivery: "hook", shows_code: false });
  await client.acceptPairing(pairing.code, SCOPES);
  const card = await client.waitingCard();
  expect(card).toMatchObject({
    tool_name: "run_command",
    arguments: { line: "make all", shell: "sh", directory: project },
    sensitivity: "medium",
    raised: [],
    decided_only: true,
    root_wanted: null,
  });
  await client.answer("allow_once");
  expect(await first).toEqual({ allow: true });
});

describe("a connected agent", () => {
  it("is told no when the person denies it, and its model why", async () => {
    await connected();
    const question = ask("Bash", { command: "rm -rf /" });
    await client.answer("deny");
    expect(await question).toEqual({ allow: false, reason: expect.stringContaining("denied") });
  });

  it("shows the difference that its edit makes, and nothing is written here", async () => {
    await connected();
    const file = join(project, "notes.md");
    writeFileSync(file, "Buy milk.\n");
    const question = ask("Edit", { file_path: file, old_string: "milk", new_string: "oat milk" });
    const { preview } = await client.waitingCard();
    expect(preview).toMatchObject({ kind: "text_change", change: "edit" });
    await client.answer("allow_once");
    expect(await question).toEqual({ allow: true });
    expect(readFileSync(file, "utf8")).toBe("Buy milk.\n");
  });

  it("may write where nothing is yet: then its arguments are shown", async () => {
    await connected();
    const file = join(project, "new", "deep.md");
    const question = ask("Write", { file_path: file, content: "text" });
    expect((await client.waitingCard()).preview).toBeNull();
    await client.answer("allow_once");
    expect(await question).toEqual({ allow: true });
    expect(existsSync(file)).toBe(false);
  });

  it("has quiet periods and lines in the log like any other", async () => {
    await connected();
    const read = (name: string) => ask("Read", { file_path: join(project, name) });
    const first = read("a.md");
    await client.answer("allow_in_conversation");
    expect(await first).toEqual({ allow: true });
    expect(await read("a.md")).toEqual({ allow: true });
    const rows = await client.log();
    expect(rows.slice(0, 2).map(({ tool_name, decided_by }) => [tool_name, decided_by])).toEqual([
      ["read_file", "window"],
      ["read_file", "person"],
    ]);
  });

  it("is allowed its project for the conversation, and nothing outside of it", async () => {
    await connected();
    const first = ask("Read", { file_path: join(project, "a") });
    const path = realpathSync(project);
    expect((await client.waitingCard()).subject).toEqual({ kind: "folder", path });
    await client.answer("allow_in_conversation");
    expect(await first).toEqual({ allow: true });
    expect(await ask("Glob", { pattern: "src/**" })).toEqual({ allow: true });
    const outside = ask("Read", { file_path: join(project, "../b") });
    expect(await client.waitingCard()).toMatchObject({
      sensitivity: "high",
      raised: ["outside_project"],
    });
    await client.answer("deny");
    expect(await outside).toMatchObject({ allow: false });
  });

  it.each([
    ["Read", { file_path: "a/notes.md" }],
    ["WebFetch", { url: "https://a.test/" }],
  ] as const)(
    "is allowed no more by a card than it shows, since none of our limits would hold: %s",
    async (tool, input) => {
      await connected(["agent:read", "agent:fetch"]);
      const question = ask(tool, input);
      const { answers, rule_subjects } = await client.waitingCard();
      expect(answers).toEqual(["deny", "allow_once", "allow_in_conversation"]);
      expect(rule_subjects).not.toContainEqual({ kind: "anything" });
      await expect(client.answer("allow_scope_in_conversation")).rejects.toThrow("not_offered");
      await client.answer("deny");
      expect(await question).toMatchObject({ allow: false });
    },
  );

  it("is refused what the person did not grant, without a card", async () => {
    await connected(["agent:read"]);
    expect(await ask("Bash", { command: "ls" })).toEqual({
      allow: false,
      reason: expect.stringContaining("scope_not_granted"),
    });
  });

  it("still counts as there when its question is over: the next one comes on a connection of its own", async () => {
    await connected();
    const others = new AskingHook(client, project, "codex").ask("Bash", { command: "ls" });
    const { pairings, agents } = await eventually(async () => {
      const now = await client.snapshot();
      return now.pairings.length > 0 ? now : undefined;
    });
    expect(agents.map(({ online }) => online)).toEqual([true]);
    const pairing_id = pairings[0]?.pairing_id ?? "";
    await client.call("pairing.answer", { pairing_id, accept: false, granted_scopes: [] });
    await others;
  });

  const missed = async (reason: string) => {
    expect(await client.cards(0)).toEqual([]);
    const logged = await eventually(async () =>
      (await client.log()).find(({ tool_name }) => tool_name === "read_file"),
    );
    expect(logged.reason).toBe(reason);
    const { requests } = (await client.snapshot()).missed;
    expect(requests).toMatchObject([{ tool_name: "read_file", why: reason }]);
  };

  it("is told no when time is up", async () => {
    await connected();
    const question = ask("Read", { file_path: join(project, "a.md") }, 500);
    expect(await question).toEqual({ allow: false, reason: expect.stringContaining("in time") });
    await missed("user_timeout");
  });

  it("asks nothing any more when its hook is ended", async () => {
    await connected();
    const { address, token } = hookAccess(new AskingHook(client, project).place);
    const tool_input = { file_path: join(project, "a.md") };
    const question = { session_id: "s-1", cwd: project, tool_name: "Read", tool_input };
    const body = Buffer.from(JSON.stringify(question));
    const path = "/hooks/claude-code/hook";
    const { socket } = await requestLocally(address, { path, token, body });
    await client.waitingCard();
    socket.destroy();
    await missed("cancelled");
  });
});

it("an agent that the person refuses, and one that finds nobody, are told no", async () => {
  const question = ask("Bash", { command: "ls" });
  const { pairing_id } = await eventually(async () => (await client.snapshot()).pairings[0]);
  await client.call("pairing.answer", { pairing_id, accept: false, granted_scopes: [] });
  expect(await question).toMatchObject({
    allow: false,
    reason: expect.stringContaining("refused"),
  });
  await client.close();
  expect(await ask("Bash", { command: "ls" })).toMatchObject({
    allow: false,
    reason: expect.stringContaining("not running"),
  });
});
