import type { Refusal } from "./codes.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/**
 * A tool call as everything past the codec sees it: frozen, digested, normalised. The value that is
 * shown, digested and run is this one object (contract §2).
 */
export interface ToolCall {
  readonly call_id: string;
  readonly tool_name: string;
  readonly arguments: JsonObject;
  /** RFC 8785 form of `arguments`, from which the digest is computed. */
  readonly canonical_arguments: string;
  /** Lowercase hex SHA-256 of `canonical_arguments`. */
  readonly arguments_digest: string;
  readonly permission_scope: string;
  /** Milliseconds, as the agent asked; absent when it did not. */
  readonly timeout_ms?: number;
}

/** A payload that claimed to be a call but could not be read as one. */
export interface MalformedCall {
  /** The call's id if it could be read, else the id of its message. */
  readonly call_id: string;
  readonly tool_name: string | null;
  readonly permission_scope: string | null;
  /** Lowercase hex SHA-256 of the payload's bytes: there are no readable arguments to digest. */
  readonly payload_digest: string;
  readonly refusal: Refusal;
}

export type DecodedCall =
  | { readonly kind: "call"; readonly call: ToolCall }
  | { readonly kind: "malformed"; readonly malformed: MalformedCall };

/** The answer to a call, in the flat form of contract §1. */
export type ToolResponse =
  | { readonly call_id: string; readonly status: "ok"; readonly result: JsonValue }
  | ({ readonly call_id: string } & Refusal);
