import { INVALID_REQUEST, PARSE_ERROR, type RequestId } from "@modelcontextprotocol/server";
import {
  isJsonObject,
  type JsonObject,
  type JsonValue,
  ownValue,
} from "../../../app/contract/json.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import {
  parseStrictJson,
  type StrictJsonError,
  strictJsonError,
} from "../../../app/contract/strict-json.ts";

export type ReadMessage =
  | { readonly kind: "message"; readonly message: JsonValue }
  | { readonly kind: "refused"; readonly answer: Refused };

export interface Refused {
  readonly jsonrpc: "2.0";
  readonly id: RequestId | null;
  readonly error: { readonly code: number; readonly message: string };
}

/** What stands for arguments that cannot be read: the chain refuses and logs both for what they are. */
const UNREADABLE: JsonObject = { "\ud800": null };
const TOO_LARGE: JsonObject = { "": " ".repeat(LIMITS.callBytes) };

/**
 * What an MCP client says at once: one message, or several. Read strictly (contract §1), except that clients
 * write `null` or `[]` for what is absent. A call whose arguments cannot be read is still a call, so that it has an answer
 * and a line in the log.
 * @param maxBytes of what is read strictly
 */
export function readMessage(bytes: Uint8Array, maxBytes: number): ReadMessage {
  try {
    const value = parseStrictJson(bytes, maxBytes);
    const message = Array.isArray(value) ? value.map(withoutAbsent) : withoutAbsent(value);
    return { kind: "message", message };
  } catch (error) {
    if (!strictJsonError.is(error)) throw error;
    const loose = looseValue(bytes);
    const call = isJsonObject(loose) ? callWith(loose, error) : null;
    if (call !== null) return { kind: "message", message: call };
    return { kind: "refused", answer: refusal(loose, PARSE_ERROR, `Parse error: ${error.code}`) };
  }
}

/** A message that is none of JSON-RPC's, under its own id where it has one. */
export const notAMessage = (value: JsonValue): Refused =>
  refusal(value, INVALID_REQUEST, "Invalid Request");

function refusal(value: JsonValue, code: number, message: string): Refused {
  const id = isJsonObject(value) ? ownValue(value, "id") : null;
  return { jsonrpc: "2.0", id: isRequestId(id) ? id : null, error: { code, message } };
}

const isRequestId = (id: unknown): id is RequestId =>
  Number.isSafeInteger(id) || (typeof id === "string" && id.isWellFormed());

/** Null: no call, or one without an id. */
function callWith(loose: JsonObject, { code }: StrictJsonError): JsonObject | null {
  const { method, id, params } = loose;
  if (method !== "tools/call" || !isRequestId(id) || !isJsonObject(params)) return null;
  const unread = code === "too_large" ? TOO_LARGE : UNREADABLE;
  return withoutAbsent({ ...loose, params: { ...params, arguments: unread } });
}

function looseValue(bytes: Uint8Array): JsonValue {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    return null;
  }
}

function withoutAbsent(value: JsonObject): JsonObject;
function withoutAbsent(value: JsonValue): JsonValue;
function withoutAbsent(value: JsonValue): JsonValue {
  if (!isJsonObject(value) || typeof value.method !== "string") return value;
  const { params, ...message } = value;
  if (!isJsonObject(params)) return isAbsent(params) ? message : value;
  const { _meta, arguments: args, ...rest } = params;
  return {
    ...message,
    params: {
      ...rest,
      ...(isAbsent(args) ? {} : { arguments: args }),
      ...(isAbsent(_meta) ? {} : { _meta: withoutToken(_meta) }),
    },
  };
}

function withoutToken(meta: JsonValue): JsonValue {
  if (!isJsonObject(meta) || meta.progressToken !== null) return meta;
  const { progressToken: _, ...rest } = meta;
  return rest;
}

const isAbsent = (value: JsonValue | undefined): value is undefined | null | [] =>
  value === undefined || value === null || (Array.isArray(value) && value.length === 0);
