import { guardOf } from "../contract/checked.ts";
import { isApproval } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import { CALLS, type CallName } from "./calls.ts";

const SEEING: ReadonlySet<CallName> = new Set([
  "consent.opened",
  "consent.reading",
  "consent.read",
]);
const isAnswer = guardOf(CALLS["consent.answer"].args);
const isGroupAnswer = guardOf(CALLS["consent.answer_group"].args);

/**
 * Whether a call claims that the person saw what they cannot have seen (contract §3): a card opened
 * or read in a window that is out of sight, or approved there or too soon after it came into sight. Pure.
 *
 * @param inSightMs how long the window has been in sight; null: it is not
 */
export function isUnseen(name: CallName, args: unknown, inSightMs: number | null): boolean {
  if (SEEING.has(name)) return inSightMs === null;
  if (name !== "consent.answer" && name !== "consent.answer_group") return false;
  const given = name === "consent.answer" ? isAnswer : isGroupAnswer;
  return !given(args) || (isApproval(args.answer) && (inSightMs ?? 0) < LIMITS.approvalInertMs);
}
