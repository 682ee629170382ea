import { guardOf } from "../contract/checked.ts";
import { isApproval } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import { CALLS, type CallArgs, type CallName, type CallResult } from "./calls.ts";
import { type BridgeErrorCode, bridgeError, type CallReply } from "./client-bridge.ts";

export type CallHandlers = {
  readonly [C in CallName]: (args: CallArgs<C>) => Promise<CallResult<C>> | CallResult<C>;
};

export interface IncomingBridgeCall {
  readonly name: unknown;
  readonly args: unknown;
  /** Whether the host trusts the sender; decided before anything is read from the call. */
  readonly senderAllowed: boolean;
  /** The calls this window may make. */
  readonly allowed: readonly CallName[];
  /**
   * How long the window has been in sight at most, in milliseconds, as far as the host knows; null: it
   * is not. Absent: the host checks this itself.
   */
  readonly inSightMs?: number | null;
}

const isCallName = (name: unknown): name is CallName =>
  typeof name === "string" && Object.hasOwn(CALLS, name);

/**
 * Every renderer's call goes through this, in both hosts. It checks the sender, the window's list of
 * calls, the schema of the arguments and whether the person can have seen it, then calls the handler.
 *
 * @param codeOf what the page is told about any other error than a BridgeError
 */
export function answerCalls(
  handlers: CallHandlers,
  codeOf: (error: unknown) => BridgeErrorCode,
): (incoming: IncomingBridgeCall) => Promise<CallReply> {
  const guards = new Map(
    (Object.keys(CALLS) as CallName[]).map((name) => [name, guardOf(CALLS[name].args)] as const),
  );
  return async ({ name, args, senderAllowed, allowed, inSightMs }) => {
    if (!senderAllowed) return { ok: false, code: "foreign_sender" };
    if (!isCallName(name) || !allowed.includes(name)) return { ok: false, code: "unknown_call" };
    if (guards.get(name)?.(args) !== true) return { ok: false, code: "invalid_arguments" };
    if (inSightMs !== undefined && isUnseen(name, args, inSightMs)) {
      return { ok: false, code: "too_early" };
    }
    try {
      // The guard just proved `args` for this very name.
      const handler = handlers[name] as (checked: unknown) => unknown;
      return { ok: true, result: await handler(args) };
    } catch (error) {
      return { ok: false, code: bridgeError.is(error) ? error.code : codeOf(error) };
    }
  };
}

const SEEING: ReadonlySet<CallName> = new Set([
  "consent.opened",
  "consent.reading",
  "consent.read",
  "consent.held",
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
  const one = isAnswer(args) ? [args] : null;
  const answers = isGroupAnswer(args) ? args.answers : one;
  if (answers === null) return true;
  const isApproving = answers.some(({ answer }) => isApproval(answer));
  return isApproving && (inSightMs ?? 0) < LIMITS.approvalInertMs;
}
