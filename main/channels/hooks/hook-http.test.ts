import { execFile } from "node:child_process";
import { copyFileSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import type { JsonObject, JsonValue } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { HookedAgent } from "./testing/hooked-agent.ts";

interface PrintedHook {
  readonly type: string;
  readonly url: string;
  readonly headers: Record<string, string>;
  readonly timeout: number;
  readonly onFailure?: string;
}
type Printed = Record<string, readonly { matcher: string; hooks: readonly PrintedHook[] }[]>;

let client: LaunchedClient;
let printed: Printed;
beforeEach(async () => {
  client = await LaunchedClient.start();
  const agent = new HookedAgent(client, scratchFolder());
  const settings = agent.hook({}, ["--http"]);
  const { code } = await eventually(async () => (await client.snapshot()).pairings[0]);
  await client.acceptPairing(code, ["agent:command"]);
  const { status, stdout } = await settings;
  expect(status).toBe(0);
  printed = JSON.parse(stdout).hooks;
});

const hookFor = (event: string): PrintedHook => {
  const hook = printed[event]?.[0]?.hooks[0];
  if (hook === undefined) throw new Error(`no hook for ${event}`);
  return hook;
};

/** As Claude Code posts it; some headers are for `fetch` alone to set. */
function post(
  body: string,
  { url, headers }: Pick<PrintedHook, "url" | "headers"> = hookFor("PreToolUse"),
): Promise<{ status: number | undefined; body: JsonValue }> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers, agent: false }, (response) => {
      let text = "";
      response.setEncoding("utf8");
      response.on("data", (part: string) => {
        text += part;
      });
      response.on("end", () => {
        const isJson = response.headers["content-type"] === "application/json";
        resolve({ status: response.statusCode, body: isJson ? JSON.parse(text) : text });
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

const question = (command: string, more: JsonObject = {}): string =>
  JSON.stringify({
    session_id: "s-1",
    cwd: "/",
    hook_event_name: "PreToolUse",
    tool_name: "Bash",
    tool_input: { command },
    ...more,
  });

it("the settings fail closed, wait longer than we do, and report what became of it", () => {
  expect(hookFor("PreToolUse")).toMatchObject({ type: "http", timeout: 300, onFailure: "block" });
  expect(Object.keys(printed)).toEqual([
    "PreToolUse",
    "PermissionRequest",
    "PostToolUse",
    "PostToolUseFailure",
    "UserPromptSubmit",
    "Stop",
    "SessionEnd",
  ]);
});

it("allows once, denies with the reason, and takes a report", async () => {
  const first = post(question("make"));
  await client.answer("allow_once");
  expect(await first).toEqual({
    status: 200,
    body: { hookSpecificOutput: { hookEventName: "PreToolUse", permissionDecision: "allow" } },
  });
  const said = { hook_event_name: "PostToolUse", tool_response: "ok" };
  expect(await post(question("make", said), hookFor("PostToolUse"))).toEqual({
    status: 200,
    body: {},
  });
  expect((await client.log())[0]?.carried_out).toBe("succeeded");

  const second = post(question("rm -r /"));
  await client.answer("deny");
  expect((await second).body).toMatchObject({
    hookSpecificOutput: {
      permissionDecision: "deny",
      permissionDecisionReason: expect.stringContaining("denied"),
    },
  });
});

it.each([["{ half"], ["[]"], [question("x", { tool_input: {} })]])(
  "is told no for %j",
  async (body) => {
    expect((await post(body)).body).toMatchObject({
      hookSpecificOutput: { permissionDecision: "deny" },
    });
  },
);

describe("another program with the token", () => {
  /** Asks; resolves with what it is told. */
  async function asksFrom(program: string): Promise<string> {
    const { url, headers } = hookFor("PreToolUse");
    const asks = `fetch(${JSON.stringify(url)}, ${JSON.stringify({
      method: "POST",
      headers,
      body: question("make"),
    })}).then((answer) => answer.text()).then(console.log)`;
    return (await promisify(execFile)(program, ["-e", asks])).stdout;
  }

  async function answered(accept: boolean): Promise<string> {
    const program = join(scratchFolder(), "other-node");
    copyFileSync(process.execPath, program);
    const said = asksFrom(program);
    const waiting = async () => (await client.snapshot()).pairings[0];
    const { pairing_id, local } = await eventually(waiting);
    expect(local?.program?.executable).toBe(program);
    expect((await client.snapshot()).consents).toEqual([]);
    await client.call("pairing.answer", { pairing_id, accept, granted_scopes: [] });
    if (accept) await client.answer("allow_once");
    return said;
  }

  it("is shown to the person before it is heard", async () => {
    expect(await answered(true)).toContain('"allow"');
  });

  it("is told that the person refused it", async () => {
    expect(await answered(false)).toContain("(refused)");
  });
});

it("is told that nobody answered in time before the agent's own limit passes", async () => {
  const asked = post(question("make"));
  await client.waitingCard();
  client.time.jump((hookFor("PreToolUse").timeout - 20) * 1_000);
  expect((await asked).body).toMatchObject({
    hookSpecificOutput: { permissionDecisionReason: expect.stringContaining("(user_timeout)") },
  });
  expect(await client.cards(0)).toEqual([]);
  expect((await client.log())[0]).toMatchObject({ status: "denied", reason: "user_timeout" });
});

it("its programs are looked up in Consentry's own PATH: the agent's is not told", async () => {
  const asked = post(question("ls -la"));
  const { line } = await client.waitingCard();
  expect(line?.commands).toMatchObject([{ program: expect.stringMatching(/\/ls$/) }]);
  await client.answer("deny");
  await asked;
});

it("a question that the agent gives up goes", async () => {
  const { url, headers } = hookFor("PreToolUse");
  const given = new AbortController();
  const asked = fetch(url, {
    method: "POST",
    headers,
    body: question("make"),
    signal: given.signal,
  }).catch(() => null);
  await client.waitingCard();
  given.abort();
  await asked;
  expect(await client.cards(0)).toEqual([]);
});

describe("no request gets through", () => {
  it.each([
    ["without a token", () => ({ Authorization: "" }), 401],
    ["with a token that nobody has", () => ({ Authorization: `Bearer ${"x".repeat(43)}` }), 401],
    ["from a page", () => ({ Origin: new URL(hookFor("PreToolUse").url).origin }), 403],
    ["with a rebound name", () => ({ Host: "consentry.example" }), 403],
  ] as const)("%s", async (_, headers, status) => {
    const { url, headers: own } = hookFor("PreToolUse");
    const answer = await post(question("make"), { url, headers: { ...own, ...headers() } });
    expect(answer.status).toBe(status);
    expect((await client.snapshot()).consents).toEqual([]);
  });

  it("with the token of an MCP client", async () => {
    const mcp = readFileSync(join(client.dataDir, "mcp.url"), "utf8").trim();
    const { headers } = hookFor("PreToolUse");
    expect((await post("{}", { url: mcp, headers })).status).toBe(401);
  });
});

it("is at the same address after a restart", async () => {
  const address = () => readFileSync(join(client.dataDir, "hooks.url"), "utf8");
  const before = address();
  await client.restart();
  expect(await eventually(async () => orNothing(address))).toBe(before);
});

function orNothing(read: () => string): string | undefined {
  try {
    return read();
  } catch {
    return undefined;
  }
}
