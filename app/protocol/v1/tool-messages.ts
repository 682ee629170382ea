import {
  DENIED_REASONS,
  ERROR_CODES,
  invalidArguments,
  isTableRow,
  type Refusal,
} from "../../contract/codes.ts";
import { canonicalJson, sha256Hex } from "../../contract/digest.ts";
import {
  deepFreeze,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../contract/json.ts";
import { isViolation } from "../../contract/json-schema/schema-violation.ts";
import { LIMITS } from "../../contract/limits.ts";
import { arePersonsWords } from "../../contract/persons-words.ts";
import { parseStrictJson, strictJsonError } from "../../contract/strict-json.ts";
import type { DecodedCall, ToolCall, ToolResponse } from "../../contract/tool-call.ts";

export const TOOL_CALL_SUBTYPE = "artifact_tool_call";
export const TOOL_RESPONSE_SUBTYPE = "artifact_response";

/**
 * Reads a tool call's payload, flat or nested (contract §1), into the one frozen value that is
 * shown, digested and run. Never throws: errors are returned as a `MalformedCall`.
 *
 * @param payload the opened envelope's bytes
 * @param messageId used to answer a call whose own id could not be read
 */
export function decodeToolCall(payload: Uint8Array, messageId: string): DecodedCall {
  try {
    const artifact = artifactOf(parseStrictJson(payload, LIMITS.callBytes));
    const call = artifact === undefined ? undefined : callOf(artifact);
    if (call !== undefined) return { kind: "call", call };
    return malformed(payload, messageId, invalidArguments("malformed_call"));
  } catch (error) {
    if (!strictJsonError.is(error)) throw error;
    const reason = error.code === "too_large" ? "payload_too_large" : "malformed_json";
    return malformed(payload, messageId, invalidArguments(reason));
  }
}

const FLAT_FIELDS = [
  "call_id",
  "tool_name",
  "arguments",
  "permission_scope",
  "timeout_ms",
] as const satisfies readonly (keyof ToolCall)[];

/** The artifact's fields in flat form; `undefined` if this is no tool call. */
function artifactOf(value: JsonValue): JsonObject | undefined {
  if (!isJsonObject(value) || ownValue(value, "type") !== "artifact") return undefined;
  const artifact = ownValue(value, "artifact");
  if (!isJsonObject(artifact)) return undefined;
  if (ownValue(artifact, "subtype") !== "tool_call") return undefined;
  const nested = ownValue(artifact, "payload");
  if (nested === undefined) return artifact;
  // Two readers could interpret such a call differently.
  const isFlatToo = FLAT_FIELDS.some((field) => ownValue(artifact, field) !== undefined);
  if (isFlatToo || !isJsonObject(nested)) return undefined;
  const artifactId = ownValue(artifact, "artifact_id");
  const agrees = artifactId === undefined || artifactId === ownValue(nested, "call_id");
  return agrees ? nested : undefined;
}

function callOf(artifact: JsonObject): ToolCall | undefined {
  const call_id = ownValue(artifact, "call_id");
  const tool_name = ownValue(artifact, "tool_name");
  const permission_scope = ownValue(artifact, "permission_scope");
  const args = ownValue(artifact, "arguments");
  const timeout = ownValue(artifact, "timeout_ms");
  if (!isCallId(call_id)) return undefined;
  if (!isShortText(tool_name) || !isShortText(permission_scope)) return undefined;
  if (!isJsonObject(args)) return undefined;
  if (timeout !== undefined && !isPositiveInteger(timeout)) return undefined;
  const canonical = canonicalJson(args);
  return deepFreeze({
    call_id,
    tool_name,
    arguments: args,
    canonical_arguments: canonical,
    arguments_digest: sha256Hex(canonical),
    permission_scope,
    ...(timeout === undefined ? {} : { timeout_ms: timeout }),
  });
}

const isCallId = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= LIMITS.callIdChars;
const isShortText = (value: unknown): value is string =>
  typeof value === "string" && value.length > 0 && value.length <= 256;
const isPositiveInteger = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

function malformed(payload: Uint8Array, messageId: string, refusal: Refusal): DecodedCall {
  const legible = legibleParts(payload);
  return {
    kind: "malformed",
    malformed: {
      call_id: isCallId(legible.call_id) ? legible.call_id : messageId,
      tool_name: isShortText(legible.tool_name) ? legible.tool_name : null,
      permission_scope: isShortText(legible.permission_scope) ? legible.permission_scope : null,
      payload_digest: sha256Hex(payload),
      refusal,
    },
  };
}

/**
 * Whatever can still be read, only to name the call in its refusal and in the log. If a flat and a
 * nested field disagree, neither is used.
 */
function legibleParts(
  payload: Uint8Array,
): Partial<Record<"call_id" | "tool_name" | "permission_scope", JsonValue | undefined>> {
  if (payload.byteLength > LIMITS.resultBytes) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(payload));
    const artifact = isJsonObject(value) ? ownValue(value, "artifact") : undefined;
    if (!isJsonObject(artifact)) return {};
    const forms = [artifact, ownValue(artifact, "payload")].filter(isJsonObject);
    const agreed = (field: string): JsonValue | undefined => {
      const values = forms.map((form) => ownValue(form, field)).filter((it) => it !== undefined);
      return values.every((value) => value === values[0]) ? values[0] : undefined;
    };
    return {
      call_id: agreed("call_id"),
      tool_name: agreed("tool_name"),
      permission_scope: agreed("permission_scope"),
    };
  } catch {
    return {};
  }
}

const utf8 = new TextEncoder();

/** A call's payload in the flat form. */
export function encodeToolCall(call: {
  readonly call_id: string;
  readonly tool_name: string;
  readonly arguments: JsonObject;
  readonly permission_scope: string;
  readonly timeout_ms?: number;
}): Uint8Array {
  const { call_id, tool_name, permission_scope, timeout_ms } = call;
  return utf8.encode(
    JSON.stringify({
      type: "artifact",
      artifact: {
        subtype: "tool_call",
        call_id,
        tool_name,
        arguments: call.arguments,
        permission_scope,
        ...(timeout_ms === undefined ? {} : { timeout_ms }),
      },
    }),
  );
}

/** A response's payload: always flat (contract §1). */
export function encodeToolResponse(response: ToolResponse): Uint8Array {
  return utf8.encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: "tool_response", ...response } }),
  );
}

/** Reads `user_rejected` of the older documents as `user_refused`. */
const OLDER_SPELLINGS: Readonly<Record<string, string>> = { user_rejected: "user_refused" };

/**
 * Reads a tool response, in the agent. `undefined` if the payload is not one, or if status, reason
 * and code do not match a row of the table.
 */
export function decodeToolResponse(payload: Uint8Array): ToolResponse | undefined {
  const artifact = artifactWith("tool_response", payload, LIMITS.resultBytes * 2);
  if (artifact === undefined) return undefined;
  const call_id = ownValue(artifact, "call_id");
  return typeof call_id === "string" ? responseOf(call_id, artifact) : undefined;
}

/** The artifact in this payload; `undefined` if there is none, or one with another subtype. */
function artifactWith(
  subtype: string,
  payload: Uint8Array,
  maxBytes: number,
): JsonObject | undefined {
  let value: JsonValue;
  try {
    value = parseStrictJson(payload, maxBytes);
  } catch {
    return undefined;
  }
  const artifact = isJsonObject(value) ? ownValue(value, "artifact") : undefined;
  if (!isJsonObject(artifact)) return undefined;
  return ownValue(artifact, "subtype") === subtype ? artifact : undefined;
}

function responseOf(call_id: string, artifact: JsonObject): ToolResponse | undefined {
  const status = ownValue(artifact, "status");
  if (status === "ok") return { call_id, status, result: ownValue(artifact, "result") ?? null };
  const sent = ownValue(artifact, "reason");
  const reason = typeof sent === "string" ? (OLDER_SPELLINGS[sent] ?? sent) : undefined;
  const code = ownValue(artifact, "error_code");
  const error_code = typeof code === "string" ? code : undefined;
  if (typeof status !== "string" || !isTableRow(status, reason, error_code)) return undefined;
  const denial = DENIED_REASONS.find((word) => word === reason);
  if (status === "denied" && denial !== undefined) {
    const words = ownValue(artifact, "message");
    const message = denial === "user_refused" && arePersonsWords(words) ? { message: words } : {};
    return { call_id, status, reason: denial, ...message };
  }
  const known = ERROR_CODES.find((word) => word === error_code);
  if (known === undefined) return undefined;
  const told = ownValue(artifact, "violation");
  const violation = reason === "schema_violation" && isViolation(told) ? { violation: told } : {};
  // `isTableRow` has checked that reason and code belong together.
  return { call_id, status: "error", error_code: known, reason, ...violation } as ToolResponse;
}

/**
 * An agent cancels its own call. The platform's documents define no such message, and clients that
 * do not know it ignore it. It is a message rather than a frame so that it is encrypted like the
 * call, arrives after it, and waits with it for a client that is offline.
 */
export const TOOL_CANCEL_SUBTYPE = "artifact_tool_call_cancel";

export const encodeToolCancel = (call_id: string): Uint8Array =>
  new TextEncoder().encode(
    JSON.stringify({ type: "artifact", artifact: { subtype: "tool_call_cancel", call_id } }),
  );

/** @returns the id of the cancelled call; `undefined` if the payload is no cancellation */
export function decodeToolCancel(payload: Uint8Array): string | undefined {
  const artifact = artifactWith("tool_call_cancel", payload, LIMITS.callBytes);
  const callId = artifact && ownValue(artifact, "call_id");
  return typeof callId === "string" ? callId : undefined;
}
