import type { CallArgs, CallName } from "../../app/bridge/calls.ts";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import type { ClientProgram } from "../client/host-port.ts";

/** A call of the host's own; it is checked like any call from a page. */
export const ask = <C extends CallName>(
  program: Pick<ClientProgram, "answer">,
  name: C,
  args: CallArgs<C>,
): Promise<CallReply> => program.answer({ name, args, senderAllowed: true, allowed: [name] });
