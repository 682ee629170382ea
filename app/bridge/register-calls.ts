import { guardOf } from "../contract/checked.ts";
import { CALLS, type CallArgs, type CallName, type CallResult } from "./calls.ts";
import { BridgeError, type CallReply } from "./client-bridge.ts";
import { isUnseen } from "./unseen-call.ts";

export type CallHandlers = {
  readonly [C in CallName]: (args: CallArgs<C>) => Promise<CallResult<C>> | CallResult<C>;
};

export interface IncomingBridgeCall {
  readonly name: unknown;
  readonly args: unknown;
  /** The host's own finding about who sent it; made before anything is read from the call. */
  readonly senderAllowed: boolean;
  /** The calls this window may make. */
  readonly allowed: readonly CallName[];
  /**
   * Milliseconds that the window can have been in sight, as far as the host itself knows; null: it
   * is not. Absent: the host asks by itself.
   */
  readonly inSightMs?: number | null;
}

const isCallName = (name: unknown): name is CallName =>
  typeof name === "string" && Object.hasOwn(CALLS, name);

/**
 * The one way any renderer's call reaches a handler, in both hosts: sender, then the window's
 * own list, then the schema of the arguments, whether the person can have seen it, then the handler.
 */
export function answerCalls(
  handlers: CallHandlers,
  report: (error: unknown) => void,
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
      if (error instanceof BridgeError) return { ok: false, code: error.code };
      report(error);
      return { ok: false, code: "internal_error" };
    }
  };
}
