import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { canonicalJson } from "../app/contract/digest.ts";
import { LIMITS } from "../app/contract/limits.ts";
import { parseStrictJson, StrictJsonError } from "../app/contract/strict-json.ts";
import { decodeToolCall } from "../app/protocol/v1/tool-messages.ts";
import { codeWords, readDocument, tableOf } from "./read-markdown.ts";

const protocol = readDocument(fileURLToPath(new URL("..", import.meta.url)), "docs/protocol.md");
const rows = tableOf(protocol, "written").map((cells) => cells.map((cell) => codeWords(cell)[0]));

const callWith = (number: string): string =>
  `{"type":"artifact","artifact":{"subtype":"tool_call","call_id":"c","tool_name":"t","permission_scope":"s","arguments":{"n":${number}}}}`;

function faultOf(text: string): string | undefined {
  try {
    parseStrictJson(text, LIMITS.callBytes);
  } catch (error) {
    if (error instanceof StrictJsonError) return error.code;
    throw error;
  }
  return undefined;
}

describe("docs/protocol.md on numbers", () => {
  it("has a row for each thing that can become of one", () => {
    expect(new Set(rows.map(([, , fault]) => fault))).toEqual(
      new Set([undefined, "unsafe_integer", "number_overflow", "syntax"]),
    );
  });

  it.each(rows)("says what becomes of %s", (written = "", read, fault) => {
    const call = decodeToolCall(new TextEncoder().encode(callWith(written)), "m");
    const became =
      call.kind === "call" ? canonicalJson(call.call.arguments) : call.malformed.refusal;
    const told =
      fault === undefined
        ? `{"n":${read}}`
        : { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason: "malformed_json" };
    expect(became).toEqual(told);
    expect(faultOf(callWith(written))).toBe(fault);
  });
});
