import { type Refusal, STATUSES } from "./codes.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** What the log calls it when the person takes back what a call changed. No agent can call it. */
export const TAKE_BACK = "take_back";

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

/** What identifies a call: its id is unique among one agent's calls only. */
export interface CallName {
  readonly agent_id: string;
  readonly call_id: string;
}

/** One string for one call, for maps. */
export const callKey = ({ agent_id, call_id }: CallName): string =>
  JSON.stringify([agent_id, call_id]);

/** How an agent says that a call ended which was decided here and which it carried out itself. */
export const CARRIED_OUT = ["succeeded", "failed"] as const;
export type CarriedOut = (typeof CARRIED_OUT)[number];

/** The rule that decided a call (contract §6). */
export const DECIDED_BY = [
  "silent_low",
  "window",
  "person",
  /** A rule of the person's. */
  "rule",
  /** The profile that denies what nothing covers. */
  "hands_off",
  /** What "always deny" was called before it became a rule. */
  "standing_rule",
  /** The person paused all agents. */
  "paused",
  /** What an administrator decided for the computer. */
  "policy",
  /** The agent's own rules; here it was only watched. */
  "agent",
  "contract",
] as const;
export type DecidedBy = (typeof DECIDED_BY)[number];

/**
 * What decided a call, and which decision of the person's it followed: a rule, a quiet period or a
 * low permission that was given. It identifies that decision without saying what it is about.
 */
export interface Decision {
  readonly decided_by: DecidedBy;
  readonly rule_id?: string;
  /** When the person made that decision, in milliseconds on the trusted clock. */
  readonly given_at?: number;
  /** The call on whose card they made it; absent: on none, or that was not noted yet. */
  readonly given_on?: string;
}

/** How a finished call is shown to the person, found and counted. */
export const ENDINGS = [...STATUSES, "cancelled", "interrupted"] as const;
export type Ending = (typeof ENDINGS)[number];

/**
 * Two errors are endings of their own: a call that was cancelled, and one that the end of the program interrupted,
 * so that how far it got is unknown (contract §6). A call that was allowed here failed if its agent, which carried it
 * out itself, says so.
 */
export function endingOf<S extends string>(outcome: {
  readonly status: S;
  readonly reason: string | null;
  readonly carried_out?: CarriedOut | null;
}): S | Ending {
  const { status, reason, carried_out = null } = outcome;
  if (status === "error" && (reason === "cancelled" || reason === "interrupted")) return reason;
  return status === "ok" && carried_out === "failed" ? "error" : status;
}
