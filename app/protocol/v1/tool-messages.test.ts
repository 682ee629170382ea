import { describe, expect, it } from "vitest";
import {
  DENIED_REASONS,
  type DeniedReason,
  denied,
  ERROR_CODES,
  ERROR_REASONS,
  invalidArguments,
  platformError,
} from "../../contract/codes.ts";
import { sha256Hex } from "../../contract/digest.ts";
import { LIMITS } from "../../contract/limits.ts";
import type { ToolResponse } from "../../contract/tool-call.ts";
import {
  decodeToolCall,
  decodeToolCancel,
  decodeToolResponse,
  encodeToolCall,
  encodeToolCancel,
  encodeToolResponse,
} from "./tool-messages.ts";

const bytes = (value: unknown): Uint8Array =>
  new TextEncoder().encode(typeof value === "string" ? value : JSON.stringify(value));

const fields = {
  call_id: "call_abc123",
  tool_name: "read_file",
  arguments: { path: "/Users/alice/notes.md" },
  permission_scope: "filesystem:read",
  timeout_ms: 5000,
};
const flat = { type: "artifact", artifact: { subtype: "tool_call", ...fields } };
const nested = {
  type: "artifact",
  artifact: { artifact_id: "call_abc123", subtype: "tool_call", payload: fields },
};

describe("a call", () => {
  it("is read from the flat form and from the nested one into the same frozen value", () => {
    const fromFlat = decodeToolCall(bytes(flat), "m");
    expect(fromFlat).toEqual(decodeToolCall(bytes(nested), "m"));
    expect(fromFlat).toMatchObject({ kind: "call", call: fields });
    if (fromFlat.kind !== "call") throw new Error("not read");
    expect(Object.isFrozen(fromFlat.call)).toBe(true);
    expect(Object.isFrozen(fromFlat.call.arguments)).toBe(true);
    expect(fromFlat.call.arguments_digest).toBe(sha256Hex('{"path":"/Users/alice/notes.md"}'));
  });

  it("comes back from its own encoding", () => {
    expect(decodeToolCall(encodeToolCall(fields), "m")).toMatchObject({ call: fields });
  });

  it("may leave timeout_ms out", () => {
    const { timeout_ms: _left, ...rest } = fields;
    const decoded = decodeToolCall(encodeToolCall(rest), "m");
    expect(decoded.kind === "call" && "timeout_ms" in decoded.call).toBe(false);
  });

  it.each([
    ["binary junk", new Uint8Array([0xff, 0xfe, 0x00, 0x80]), "malformed_json"],
    ["nothing", new Uint8Array(), "malformed_json"],
    ["text that is no JSON", bytes("{"), "malformed_json"],
    ["a duplicate key", bytes('{"type":"artifact","type":"artifact"}'), "malformed_json"],
    ["2^53 + 1", bytes(JSON.stringify(flat).replace("5000", "9007199254740993")), "malformed_json"],
    ["another type", bytes({ ...flat, type: "text" }), "malformed_call"],
    [
      "another subtype",
      bytes({ type: "artifact", artifact: { subtype: "form" } }),
      "malformed_call",
    ],
    ["a list", bytes([]), "malformed_call"],
    [
      "a nested form whose two ids differ",
      bytes({ ...nested, artifact: { ...nested.artifact, artifact_id: "other" } }),
      "malformed_call",
    ],
    ...Object.entries(fields).map(([field, value]): [string, Uint8Array, string] => [
      `a nested form with a flat ${field} beside it`,
      bytes({ ...nested, artifact: { ...nested.artifact, [field]: value } }),
      "malformed_call",
    ]),
    [
      "a nested form with a flat null beside it",
      bytes({ ...nested, artifact: { ...nested.artifact, arguments: null } }),
      "malformed_call",
    ],
    [
      "more than 64 KiB",
      bytes(JSON.stringify(flat) + " ".repeat(LIMITS.callBytes)),
      "payload_too_large",
    ],
  ])("that is %s is malformed, with a code and a digest of its bytes", (_name, payload, reason) => {
    const decoded = decodeToolCall(payload, "message-1");
    expect(decoded).toMatchObject({
      kind: "malformed",
      malformed: {
        payload_digest: sha256Hex(payload),
        refusal: { status: "error", error_code: "TOOL_INVALID_ARGUMENTS", reason },
      },
    });
  });

  it.each([
    ["call_id", ""],
    ["call_id", 7],
    ["call_id", "x".repeat(LIMITS.callIdChars + 1)],
    ["tool_name", null],
    ["permission_scope", {}],
    ["arguments", []],
    ["arguments", "text"],
    ["timeout_ms", 0],
    ["timeout_ms", -1],
    ["timeout_ms", 1.5],
    ["timeout_ms", "5000"],
  ])("whose %s is %j is malformed", (key, value) => {
    const artifact = { ...flat.artifact, [key]: value };
    expect(decodeToolCall(bytes({ ...flat, artifact }), "m")).toMatchObject({ kind: "malformed" });
  });

  it("is answered under its own id where that can still be read, else under its message's", () => {
    const twice = JSON.stringify(flat).replace('"timeout_ms"', '"tool_name":"x","timeout_ms"');
    expect(decodeToolCall(bytes(twice), "message-1")).toMatchObject({
      malformed: { call_id: "call_abc123" },
    });
    expect(decodeToolCall(bytes("{"), "message-1")).toMatchObject({
      malformed: { call_id: "message-1", tool_name: null },
    });
  });

  it("that is flat and nested at once is answered under its id where both forms name the same", () => {
    const answered = (call_id: string) =>
      decodeToolCall(
        bytes({ ...nested, artifact: { ...nested.artifact, call_id, tool_name: "write_file" } }),
        "message-1",
      );
    expect(answered(fields.call_id)).toMatchObject({
      malformed: { call_id: fields.call_id, tool_name: null, permission_scope: "filesystem:read" },
    });
    expect(answered("another")).toMatchObject({ malformed: { call_id: "message-1" } });
  });

  it("of exactly 64 KiB is read", () => {
    const text = JSON.stringify(flat);
    const padded = bytes(text + " ".repeat(LIMITS.callBytes - text.length));
    expect(decodeToolCall(padded, "m")).toMatchObject({ kind: "call" });
  });
});

describe("a response", () => {
  const rows: ToolResponse[] = [
    { call_id: "c", status: "ok", result: { content: "…", 数: [1, null, true] } },
    { call_id: "c", status: "ok", result: null },
    ...DENIED_REASONS.map((reason) => ({ call_id: "c", ...denied(reason) })),
    ...ERROR_CODES.flatMap((code) =>
      ERROR_REASONS[code].map(
        (reason) => ({ call_id: "c", status: "error", error_code: code, reason }) as ToolResponse,
      ),
    ),
  ];

  it("says where the arguments are wrong, if it says so shortly and with nothing else", () => {
    const refusal = { call_id: "c", ...invalidArguments("schema_violation") };
    const violation = { pointer: "/edits/0/old_text", keyword: "minLength" };
    const read = (told: object) =>
      decodeToolResponse(encodeToolResponse({ ...refusal, violation: told } as ToolResponse));
    expect(read(violation)).toEqual({ ...refusal, violation });
    for (const odd of [
      { ...violation, value: "secret" },
      { pointer: "/a" },
      { ...violation, pointer: "/".repeat(513) },
    ]) {
      expect(read(odd)).toEqual(refusal);
    }
  });

  it("carries what the person told the agent, with a denial of theirs and in no other form", () => {
    const read = (reason: DeniedReason, message: unknown) =>
      decodeToolResponse(
        encodeToolResponse({ call_id: "c", status: "denied", reason, message } as ToolResponse),
      );
    const refusal = { call_id: "c", ...denied("user_refused") };
    expect(read("user_refused", "Use b.md")).toEqual({ ...refusal, message: "Use b.md" });
    for (const odd of ["", "a\u202eb", "a".repeat(501), 7]) {
      expect(read("user_refused", odd)).toEqual(refusal);
    }
    expect(read("user_timeout", "Use b.md")).toEqual({ call_id: "c", ...denied("user_timeout") });
  });

  it.each(rows)("of every row of the table comes back as it was: %j", (response) => {
    expect(decodeToolResponse(encodeToolResponse(response))).toEqual(response);
  });

  it("is always written in the flat form", () => {
    const text = new TextDecoder().decode(
      encodeToolResponse({ call_id: "c", ...platformError("not_found") }),
    );
    expect(JSON.parse(text)).toEqual({
      type: "artifact",
      artifact: {
        subtype: "tool_response",
        call_id: "c",
        status: "error",
        error_code: "TOOL_PLATFORM_ERROR",
        reason: "not_found",
      },
    });
  });

  it.each([
    { status: "denied", reason: "because" },
    { status: "denied", reason: "user_refused", error_code: "TOOL_UNAVAILABLE" },
    { status: "error", reason: "not_found" },
    { status: "error", reason: "user_refused", error_code: "TOOL_UNAVAILABLE" },
    { status: "fine" },
    {},
  ])("that forms no row of the table is no response: %j", (fields) => {
    const artifact = { subtype: "tool_response", call_id: "c", ...fields };
    expect(decodeToolResponse(bytes({ type: "artifact", artifact }))).toBeUndefined();
  });
});

const payloadOf = (text: string) => new TextEncoder().encode(text);

it("reads the call id of what it wrote", () => {
  expect(decodeToolCancel(encodeToolCancel("call-1"))).toBe("call-1");
});

it.each([
  ["no JSON", "{"],
  ["no object", "[]"],
  ["no artifact", '{"type":"text","text":"x"}'],
  ["an artifact of text", '{"type":"artifact","artifact":"x"}'],
  ["a call", '{"type":"artifact","artifact":{"subtype":"tool_call","call_id":"c"}}'],
  ["no id", '{"type":"artifact","artifact":{"subtype":"tool_call_cancel"}}'],
  ["two ids", '{"artifact":{"subtype":"tool_call_cancel","call_id":"a","call_id":"b"}}'],
])("takes %s for no cancellation", (_, text) => {
  expect(decodeToolCancel(payloadOf(text))).toBeUndefined();
});
