import type { Answer } from "../contract/consent-request.ts";
import type { ChosenRule } from "../contract/rule.ts";
import type { AnsweredRoot } from "../grants/grant.ts";

/** Why a waiting request was withdrawn. */
export const WITHDRAWALS = [
  "scope_revoked",
  "paused",
  "agent_gone",
  "manifest_changed",
  "cancelled",
  "unanswered",
  "shutdown",
] as const;
export type Withdrawal = (typeof WITHDRAWALS)[number];

/** Why the signal's request or call was withdrawn; null: it was not. */
export const withdrawalOf = ({ aborted, reason }: AbortSignal): Withdrawal | null =>
  aborted ? (WITHDRAWALS.find((word) => word === reason) ?? "cancelled") : null;

/** The person's answer. */
export interface Answered {
  readonly kind: "answered";
  readonly answer: Answer;
  readonly root: AnsweredRoot | null;
  /** The rule that the answer makes; null: none. */
  readonly rule: ChosenRule | null;
  /** What the person tells the agent with a denial. */
  readonly message?: string | undefined;
}

/** How a request ended. Only `answered` comes from the person. */
export type Verdict =
  | Answered
  /** `watched`: the person was reading the card when its time ran out. */
  | { readonly kind: "timed_out"; readonly watched: boolean }
  | { readonly kind: "reconsider" }
  | { readonly kind: "withdrawn"; readonly why: Withdrawal };
