import type { ConsentDesk } from "../../../app/consent/consent-desk.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Arrival } from "../../../app/execution/arrival.ts";
import type { GivenUpCalls } from "../../../app/execution/given-up-calls.ts";
import type { RunningCalls } from "../../../app/execution/running-calls.ts";

interface CallTaking {
  readonly desk: ConsentDesk;
  readonly running: RunningCalls;
  readonly givenUp: GivenUpCalls;
  /** The chain. Null: not answered now. */
  readonly answer: (arrival: Arrival) => Promise<ToolResponse | null>;
}

/** What agents ask for, and what they do not want any more. */
export function takeCalls({ desk, running, givenUp, answer }: CallTaking) {
  return {
    handle(arrival: Arrival): Promise<ToolResponse | null> {
      const { decoded, agent_id } = arrival;
      if (decoded.kind === "malformed") return answer(arrival);
      return givenUp.track({ agent_id, call_id: decoded.call.call_id }, answer(arrival));
    },
    /** @returns false when the call was put off and comes again */
    async giveUp(agent_id: string, call_id: string): Promise<boolean> {
      const answered = givenUp.giveUp({ agent_id, call_id });
      const isIt = (call: { readonly agent_id: string; readonly call_id: string }) =>
        call.agent_id === agent_id && call.call_id === call_id;
      desk.withdraw(isIt, "cancelled");
      running.stop(isIt, "cancelled");
      return (await answered) !== null;
    },
  };
}
