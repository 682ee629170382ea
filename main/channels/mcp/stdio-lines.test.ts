import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { beforeEach, describe, expect, it } from "vitest";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { eventually } from "../../client/testing/eventually.ts";
import { LaunchedClient } from "../../client/testing/launched-client.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";

const SCRIPT = fileURLToPath(new URL("../../../scripts/mcp.mjs", import.meta.url));
const HELLO = {
  protocolVersion: "2025-06-18",
  capabilities: {},
  clientInfo: { name: "Raw client", version: "1" },
};

let client: LaunchedClient;
let server: ChildProcessWithoutNullStreams;
let heard: JsonObject[];
beforeEach(async () => {
  client = await LaunchedClient.start();
  heard = [];
  const args = [SCRIPT, "--no-start", "--data-dir", client.dataDir];
  const env = { PATH: process.env.PATH ?? "", XDG_CONFIG_HOME: scratchFolder() };
  server = spawn(process.execPath, args, { env });
  createInterface({ input: server.stdout }).on("line", (line) => heard.push(JSON.parse(line)));
  say(rpc(0, "initialize", HELLO));
  await answer(0);
  return () => void server.kill();
});

const say = (line: string) => server.stdin.write(`${line}\n`);
const rpc = (id: number, method: string, params: JsonValue = {}) =>
  JSON.stringify({ jsonrpc: "2.0", id, method, params });
const answer = (id: number | null) => eventually(async () => heard.find((each) => each.id === id));

async function connected(): Promise<void> {
  say(rpc(1, "tools/list"));
  const { code } = await eventually(async () => (await client.snapshot()).pairings[0]);
  await client.acceptPairing(code, ["clipboard:write", "notification:send"]);
}

describe("a line over stdio", () => {
  it.each([
    ['{"jsonrpc":"2.0","id":73,"method":"tools/list","params":null}', "result"],
    ['{"jsonrpc":"2.0","id":73,"method":"tools/list","params":[]}', "result"],
    ['{"jsonrpc":"2.0","id":73,"method":"tools/list","params":{"_meta":null}}', "result"],
    [
      '{"jsonrpc":"2.0","id":73,"method":"ping","params":{"_meta":{"progressToken":null}}}',
      "result",
    ],
    ['{"jsonrpc":"2.0","id":73,"method":"tools/list","params":7}', "error"],
    ['{"jsonrpc":"2.0","id":73,"method":7}', "error"],
    ['{"id":73,"method":"ping"}', "error"],
    ['{"jsonrpc":"2.0","id":73,"method":"ping","params":{"a":1,"a":2}}', "error"],
  ])("%s has an answer: a %s", async (line, kind) => {
    say(line);
    expect(await answer(73)).toHaveProperty(kind);
  });

  it("that is no JSON is refused, and one without anything in it is passed over", async () => {
    say(" \r");
    say("{");
    expect(await answer(null)).toMatchObject({ error: { code: -32_700 } });
    say(rpc(2, "ping"));
    expect(await answer(2)).toHaveProperty("result");
    expect(heard).toHaveLength(3);
  });

  it("with an argument that cannot be read ends neither the connection nor another call", async () => {
    await connected();
    const bad = [
      ["malformed_json", '"\\ud83d"'],
      ["malformed_json", "9007199254740993"],
      ["malformed_json", `${"[".repeat(80)}${"]".repeat(80)}`],
      ["malformed_json", '{"a":1,"a":2}'],
      ["payload_too_large", `"${"x".repeat(5 * 1024 * 1024)}"`],
    ];
    say(rpc(3, "tools/call", { name: "write_clipboard", arguments: { text: "waits" } }));
    await client.waitingCard();
    for (const [at, [, text]] of bad.entries()) {
      say(
        `{"jsonrpc":"2.0","id":${10 + at},"method":"tools/call","params":{"name":"write_clipboard","arguments":{"text":${text}}}}`,
      );
    }
    for (const [at, [reason]] of bad.entries()) {
      const { result } = await answer(10 + at);
      expect(isJsonObject(result) && result._meta).toEqual({
        "consentry/outcome": { status: "error", reason },
      });
    }
    await client.answer("allow_once");
    expect(await answer(3)).toMatchObject({ result: { structuredContent: {} } });
    expect(client.platform.writes).toEqual(["waits"]);
    const logged = (await client.log()).map(({ reason }) => reason);
    expect(logged.filter((reason) => reason !== null).toSorted()).toEqual(
      bad.map(([reason]) => reason).toSorted(),
    );
  });
});
