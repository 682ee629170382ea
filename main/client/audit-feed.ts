import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CallLedger, Scheduler } from "../../app/execution/ports.ts";

/** The UI hears of new lines this often at most, in milliseconds. */
const INTERVAL_MS = 100;
/** Of a flood, the newest lines are told; the page itself reads them all. */
const TOLD_AT_ONCE = 100;

export interface FeedPorts {
  readonly scheduler: Scheduler;
  /** Newest first. */
  readonly lines: (callId: string, agentId: string) => readonly ActivityRow[];
  readonly isHeard: () => boolean;
  readonly tell: (row: ActivityRow) => void;
}

/** Passes a ledger on and tells the UI which lines it made, without making any call wait for it. */
export function ledgerWithFeed(ledger: CallLedger, ports: FeedPorts): CallLedger {
  const fresh = new Map<string, { readonly callId: string; readonly agentId: string }>();
  let waiting = false;

  const flush = () => {
    waiting = false;
    // At the end of the program the listeners go first, and then the store.
    if (!ports.isHeard()) return;
    const calls = [...fresh.values()].slice(-TOLD_AT_ONCE);
    fresh.clear();
    for (const { callId, agentId } of calls) {
      for (const row of ports.lines(callId, agentId).toReversed()) ports.tell(row);
    }
  };
  const note = ({ call_id, agent_id }: { call_id: string; agent_id: string }) => {
    if (!ports.isHeard()) return;
    fresh.set(JSON.stringify([agent_id, call_id]), { callId: call_id, agentId: agent_id });
    if (waiting) return;
    waiting = true;
    ports.scheduler.after(INTERVAL_MS, flush);
  };

  return {
    find: (agentId, callId) => ledger.find(agentId, callId),
    pastResponse: (agentId, call) => ledger.pastResponse(agentId, call),
    recordIntent: async (intent) => {
      await ledger.recordIntent(intent);
      note(intent);
    },
    recordOutcome: async (outcome, answered) => {
      await ledger.recordOutcome(outcome, answered);
      note(outcome);
    },
  };
}
