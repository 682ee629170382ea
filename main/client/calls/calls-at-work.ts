import { randomUUID } from "node:crypto";
import type { EventName } from "../../../app/bridge/events.ts";
import type { RecalledCall } from "../../../app/bridge/recalled-call.ts";
import type { RunningView } from "../../../app/bridge/views.ts";
import { ConsentDesk } from "../../../app/consent/consent-desk.ts";
import type { Withdrawal } from "../../../app/consent/verdict.ts";
import type { ToolResponse } from "../../../app/contract/tool-call.ts";
import type { Arrival } from "../../../app/execution/arrival.ts";
import { GivenUpCalls } from "../../../app/execution/given-up-calls.ts";
import type { CallLedger, ConsentPort } from "../../../app/execution/ports.ts";
import { RunningCalls } from "../../../app/execution/running-calls.ts";
import { Presence } from "../agents/presence.ts";
import type { ProgramParts } from "../program-parts.ts";
import { AnnouncedRequests } from "./announced-requests.ts";
import { consentPort } from "./consent-port.ts";
import { MissedRequests } from "./missed-requests.ts";
import { PauseAll } from "./pause-all.ts";
import { RecalledCalls } from "./recalled-calls.ts";
import { recallingLedger } from "./recalling-ledger.ts";
import { RunningFeed, runningView } from "./running-feed.ts";
import { takeCalls } from "./take-calls.ts";

interface WorkPorts extends Pick<ProgramParts, "store" | "time" | "report" | "folding"> {
  readonly changed: (name: EventName) => void;
  /** Other requests wait for the person than before. */
  readonly consentsChanged: () => void;
  readonly isClosing: () => boolean;
  /** The chain. Null: not answered now. */
  readonly answer: (arrival: Arrival) => Promise<ToolResponse | null>;
}

export interface CallsAtWork {
  readonly desk: ConsentDesk;
  readonly running: RunningCalls;
  readonly pause: PauseAll;
  readonly presence: Presence;
  readonly missed: MissedRequests;
  readonly recalled: RecalledCalls;
  readonly announced: AnnouncedRequests;
  readonly ledger: CallLedger;
  /** How the chain asks the person. */
  readonly consent: ConsentPort;
  readonly taken: ReturnType<typeof takeCalls>;
  runningViews(): readonly RunningView[];
  /** Ends what waits or runs for this agent under this scope; null: under any. */
  stop(agentId: string, scope: string | null, why: Withdrawal): void;
  /** The person ends one that runs; false when it does not. */
  cancel(agentId: string, callId: string): boolean;
  /** What a call carried that runs or is over; null: that is not kept, or not any more. */
  recall(agentId: string, callId: string): RecalledCall | null;
}

/** The calls that wait for the person and those that run, and all that can end them. */
export function callsAtWork(ports: WorkPorts): CallsAtWork {
  const { store, time, changed, consentsChanged, isClosing, answer, report } = ports;
  const desk = new ConsentDesk({
    now: () => time.monotonic.now(),
    wall: () => store.clock.now(),
    after: (ms, run) => time.scheduler.after(ms, run),
    newId: () => randomUUID(),
    onChange: consentsChanged,
  });
  const runningFeed = new RunningFeed(time.scheduler, () => changed("running.changed"));
  const givenUp = new GivenUpCalls();
  const running = new RunningCalls(
    () => runningFeed.changed(),
    (call) => givenUp.has(call),
  );
  const pause = new PauseAll(store.settings, () => {
    changed("paused.changed");
    if (!pause.isOn()) return;
    desk.withdraw(() => true, "paused");
    running.stop(() => true, "cancelled");
  });
  const presence = new Presence(time.scheduler, (agentId) =>
    desk.withdraw((request) => request.agent_id === agentId, "agent_gone"),
  );
  const missed = new MissedRequests({
    settings: store.settings,
    clock: store.clock,
    changed: () => changed("missed.changed"),
    report,
  });
  const recalled = new RecalledCalls((agentId) => store.agents.agent(agentId) !== undefined);
  const announced = new AnnouncedRequests(ports.folding);
  const consent = consentPort({
    desk,
    missed,
    recalled,
    announced,
    unasked: (request) => {
      if (isClosing()) return "shutdown";
      if (givenUp.has(request)) return "cancelled";
      if (presence.isGone(request.agent_id)) return "agent_gone";
      return pause.isOn() ? "paused" : null;
    },
  });
  return {
    desk,
    running,
    pause,
    presence,
    missed,
    recalled,
    announced,
    ledger: recallingLedger(store.ledger, recalled),
    consent,
    taken: takeCalls({ desk, running, givenUp, answer }),
    runningViews: () =>
      running
        .list()
        .map((call) => runningView(call, store.agents.agent(call.agent_id)?.name ?? "")),
    stop(agentId, scope, why) {
      const matches = (call: { agent_id: string; scope: string }) =>
        call.agent_id === agentId && (scope === null || call.scope === scope);
      desk.withdraw(matches, why);
      running.stop(matches, why);
    },
    cancel(agentId, callId) {
      const isIt = (call: { agent_id: string; call_id: string }) =>
        call.agent_id === agentId && call.call_id === callId;
      return running.stop(isIt, "cancelled") > 0;
    },
    recall(agentId, callId) {
      const kept = recalled.of(agentId, callId);
      if (kept !== null) return kept;
      const now = running
        .list()
        .find(({ agent_id, call_id }) => agent_id === agentId && call_id === callId);
      return now === undefined ? null : { arguments: now.arguments, result: null };
    },
  };
}
