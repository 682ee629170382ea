import type { CallReply } from "../../../app/bridge/client-bridge.ts";
import type { EventName, Events } from "../../../app/bridge/events.ts";
import type { IncomingBridgeCall } from "../../../app/bridge/register-calls.ts";
import type { ClientProgram, ProgramListener } from "../../client/host-port.ts";

/** A program that records what it was asked and answers as told. */
export interface FakeProgram {
  readonly program: ClientProgram;
  readonly asked: IncomingBridgeCall[];
  answerWith(answer: (incoming: IncomingBridgeCall) => CallReply | Promise<CallReply>): void;
  emit<E extends EventName>(name: E, event: Events[E]): void;
  listeners(): number;
}

export function fakeProgram(): FakeProgram {
  const asked: IncomingBridgeCall[] = [];
  const listeners = new Set<ProgramListener>();
  let answer: (incoming: IncomingBridgeCall) => CallReply | Promise<CallReply> = () => ({
    ok: true,
    result: null,
  });
  return {
    asked,
    answerWith(next) {
      answer = next;
    },
    emit: (name, event) => listeners.forEach((listener) => void listener(name, event)),
    listeners: () => listeners.size,
    program: {
      async answer(incoming) {
        asked.push(incoming);
        return answer(incoming);
      },
      subscribe(listener, signal) {
        listeners.add(listener);
        signal.addEventListener("abort", () => listeners.delete(listener), { once: true });
      },
      waiting: () => 0,
      held: () => 0,
      notify: () => {},
      settle: () => {},
      memory: { value: () => undefined, putValue: async () => {} },
    },
  };
}
