import { isApproval } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import type { CallArgs, CallName } from "./calls.ts";

/**
 * Whether a call claims that the person saw what they cannot have seen (contract §3): a card opened
 * where its window is out of sight, or approved there or too soon after it came into sight. Pure.
 *
 * @param args as the schema of the call has them
 * @param inSightMs how long the window has been in sight; null: it is not
 */
export function isUnseen(name: CallName, args: unknown, inSightMs: number | null): boolean {
  if (name === "consent.opened") return inSightMs === null;
  if (name !== "consent.answer") return false;
  const { answer } = args as CallArgs<"consent.answer">;
  return isApproval(answer) && (inSightMs ?? 0) < LIMITS.approvalInertMs;
}
