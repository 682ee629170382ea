import type { GivenAnswers } from "../contract/asked-questions.ts";
import type { Answer, ConsentRequest } from "../contract/consent-request.ts";
import { canonicalJson } from "../contract/digest.ts";
import { LIMITS } from "../contract/limits.ts";
import type { ChosenRule, OfferedSubject } from "../contract/rule.ts";
import type { AnsweredRoot } from "../grants/grant.ts";

/** Why a waiting request was withdrawn. */
export const WITHDRAWALS = [
  "scope_revoked",
  "paused",
  "agent_gone",
  "manifest_changed",
  "cancelled",
  "unanswered",
  /** In the agent's own dialog. */
  "answered_there",
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
  /** What the person answers where the agent asks them something. */
  readonly chosen?: GivenAnswers | undefined;
}

/** How a request ended. Only `answered` comes from the person. */
export type Verdict =
  | Answered
  /** `watched`: the person was reading the card when its time ran out. */
  | { readonly kind: "timed_out"; readonly watched: boolean }
  | { readonly kind: "reconsider" }
  | { readonly kind: "withdrawn"; readonly why: Withdrawal };

/** A denial that the person may take back until it leaves (contract §3). */
export interface UndoableDenial {
  readonly verdict: Answered;
  /** Monotonic milliseconds. */
  readonly leavesAt: number;
  /** Meanwhile something else would decide the request; taken back, it is decided anew. */
  decidedElsewhere: boolean;
  readonly stop: () => void;
}

/** Not one that makes a rule: the rule counts at once. */
export const isUndoable = ({ answer, rule }: Answered): boolean =>
  answer === "deny" && rule === null;

interface HoldingTime {
  readonly now: () => number;
  readonly after: (ms: number, run: () => void) => () => void;
}

export const undoableDenial = (
  { now, after }: HoldingTime,
  verdict: Answered,
  leave: () => void,
): UndoableDenial => ({
  verdict,
  decidedElsewhere: false,
  leavesAt: now() + LIMITS.denialHeldMs,
  stop: after(LIMITS.denialHeldMs, leave),
});

/** Only with the plain answers, which keep nothing else. */
export const offersRule = (
  { rule_subjects, deny_subjects }: ConsentRequest,
  answer: Answer,
  subject: OfferedSubject,
): boolean => {
  if (answer !== "allow_once" && answer !== "deny") return false;
  const offered = answer === "deny" ? [...deny_subjects, ...rule_subjects] : rule_subjects;
  return offered.some((each) => canonicalJson(each) === canonicalJson(subject));
};
