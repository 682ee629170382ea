import { describe, expect, it } from "vitest";
import { isJsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { readMessage } from "./read-message.ts";

const LIMIT = 100_000;
const read = (text: string | Uint8Array) =>
  readMessage(typeof text === "string" ? Buffer.from(text) : text, LIMIT);
const message = (text: string | Uint8Array): JsonValue => {
  const found = read(text);
  if (found.kind === "refused") throw new Error(JSON.stringify(found.answer));
  return found.message;
};

describe("what clients write for what is absent", () => {
  it.each([
    ['"params":null', ""],
    ['"params":[]', ""],
    ['"params":{"_meta":null}', '"params":{}'],
    ['"params":{"_meta":{"progressToken":null}}', '"params":{"_meta":{}}'],
    ['"params":{"name":"a","arguments":null}', '"params":{"name":"a"}'],
    ['"params":{"name":"a","arguments":[]}', '"params":{"name":"a"}'],
  ])("%s is left out", (written, meant) => {
    const rpc = (params: string) =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/list"${params === "" ? "" : `,${params}`}}`;
    expect(message(rpc(written))).toEqual(JSON.parse(rpc(meant)));
    expect(message(`[${rpc(written)}]`)).toEqual([JSON.parse(rpc(meant))]);
  });
});

const call = (args: string) =>
  `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"read_file","arguments":${args}}}`;

describe("a call whose arguments are no strict JSON", () => {
  it.each([
    ["half a character", call('{"path":"/\\ud83d"}')],
    ["a number beyond 2^53", call('{"line":9007199254740993}')],
    ["one name twice", call('{"path":"/a","path":"/b"}')],
    ["80 levels", call(`${"[".repeat(80)}${"]".repeat(80)}`)],
    ["bytes that are no text", Buffer.from(call('{"path":"\xff"}'), "latin1")],
    ["too many bytes", call(`{"path":"${"x".repeat(LIMIT)}"}`)],
  ])("is a call all the same, without them: %s", (_, text) => {
    const found = message(text);
    expect(found).toMatchObject({ id: 7, method: "tools/call", params: { name: "read_file" } });
    const args = isJsonObject(found) && isJsonObject(found.params) ? found.params.arguments : null;
    expect(JSON.stringify(args)).not.toMatch(/path|line|\[/);
  });
});

it.each([
  ["no JSON", "{", null],
  ["nothing", "", null],
  ["a name twice outside of a call", '{"jsonrpc":"2.0","id":"a","id":"b","method":"ping"}', "b"],
  ["half a character in an id", '{"jsonrpc":"2.0","id":"\\ud83d","method":"tools/call"}', null],
  ["several, of which one is not strict", `[${call('{"a":1,"a":2}')}]`, null],
])("%s is refused, with the id where there is one", (_, text, id) => {
  expect(read(text)).toMatchObject({ kind: "refused", answer: { id, error: { code: -32_700 } } });
});
