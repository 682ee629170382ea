import type { DecidedBy } from "../../../app/contract/decided-by.ts";
import type { CallLedger } from "../../../app/execution/ports.ts";
import type { RecalledCalls } from "./recalled-calls.ts";

/** A call that one of these decided ran, or was refused by the person. */
const LET_THROUGH: ReadonlySet<DecidedBy> = new Set(["silent_low", "window", "person"]);

/** The ledger, with what its calls carried kept in mind once their outcome is durable. */
export const recallingLedger = (
  ledger: CallLedger,
  recalled: Pick<RecalledCalls, "ended">,
): CallLedger => ({
  find: (agentId, callId) => ledger.find(agentId, callId),
  pastResponse: (agentId, call) => ledger.pastResponse(agentId, call),
  recordIntent: (intent) => ledger.recordIntent(intent),
  recordOutcome(outcome, answered) {
    const recorded = ledger.recordOutcome(outcome, answered);
    if (answered === undefined || !LET_THROUGH.has(outcome.decided_by)) return recorded;
    const { agent_id, conversation_id, call_id } = outcome;
    const { call, response } = answered;
    // The agent gets an answer that could not be recorded neither (contract §2.9).
    recorded.then(
      () => {
        const result = response.status === "ok" ? { value: response.result } : null;
        recalled.ended({ agent_id, conversation_id, call_id, arguments: call.arguments }, result);
      },
      () => {},
    );
    return recorded;
  },
});
