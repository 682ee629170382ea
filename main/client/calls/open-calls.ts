import { randomUUID } from "node:crypto";
import type { RecalledCall, RunningView } from "../../../app/bridge/consent-views.ts";
import { ConsentQueue } from "../../../app/consent/consent-queue.ts";
import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import type { CallName } from "../../../app/contract/tool-call.ts";
import type { ExecutionPorts } from "../../../app/execution/execution-ports.ts";
import { handleCall } from "../../../app/execution/handle-call.ts";
import { type CallObserver, LiveCalls } from "../../../app/execution/live-calls.ts";
import type { AgentSource } from "../../../app/execution/ports.ts";
import { agentUnderPolicy } from "../../../app/policy/agent-under-policy.ts";
import type { Policy } from "../../../app/policy/policy-file.ts";
import { later } from "../../../runtime/crypto/node-primitives.ts";
import type { CallIntake, Channel } from "../../channels/channel.ts";
import { isFolder } from "../../tools/files/paths/folder-preflight.ts";
import { Turns } from "../../turns/turns.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { announcing } from "../agents/announcing-grants.ts";
import type { IgnoredFolders } from "../agents/ignored-folders.ts";
import type { Suspensions } from "../agents/suspensions.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import { AnnouncedRequests } from "./announced-requests.ts";
import { ConsentActions } from "./consent-actions.ts";
import { MissedRequests, TurnedAway } from "./missed-requests.ts";
import { PauseAll } from "./pause-all.ts";
import { CallTargets, RecalledCalls } from "./recalled-calls.ts";
import { atMostEvery, RunningFeed, runningView } from "./running-feed.ts";
import { TriedFolders } from "./tried-folders.ts";

/** Milliseconds between two updates of what is only counted. */
const COUNTED_EVERY_MS = 1_000;

interface CallsParts
  extends Pick<
    ProgramParts,
    | "store"
    | "time"
    | "report"
    | "folding"
    | "validator"
    | "tools"
    | "snapshots"
    | "policy"
    | "hostKey"
  > {
  readonly naming: Pick<AgentNaming, "petname" | "signs" | "label">;
  readonly suspensions: Pick<Suspensions, "over">;
  readonly ignored: Pick<IgnoredFolders, "has">;
}

interface ServedChannel extends Pick<Channel, "name" | "toolsFrom"> {
  readonly agents: AgentSource;
}

export interface CallsModule {
  readonly live: LiveCalls;
  readonly pause: PauseAll;
  readonly missed: MissedRequests;
  readonly turnedAway: TurnedAway;
  /** As it is called in texts; null: the person has no such agent. */
  nameOf(agentId: string): string | null;
  readonly recalled: RecalledCalls;
  readonly tried: TriedFolders;
  readonly consent: ConsentActions;
  /** Sends waiting requests back for a new decision. */
  reconsider(covered: (request: ConsentRequest) => boolean): void;
  /** What one channel's calls are decided with. */
  portsOf(channel: ServedChannel): ExecutionPorts;
  /** The chain for one channel's calls. */
  intake(channel: ServedChannel): CallIntake;
  /** How many requests wait for the person. */
  waiting(): number;
  /** How many were denied, and can still be put back. */
  held(): number;
  running(): readonly RunningView[];
  /** Stops a running call for the person; false when it is not running. */
  cancel(call: CallName): boolean;
  /** The arguments and result of a call that runs or is over; null: not in memory (any longer). */
  recall(call: CallName): RecalledCall | null;
  readonly targets: Pick<CallTargets, "withTarget">;
}

/** The calls between their arrival and their answer, and their observers. */
export function openCalls(parts: CallsParts, events: ProgramEvents): CallsModule {
  const { store, time, tools, naming, report } = parts;
  const queue = new ConsentQueue({
    now: () => time.monotonic.now(),
    wall: () => store.clock.now(),
    after: (ms, run) => time.scheduler.after(ms, run),
    newId: () => randomUUID(),
    onChange: () => events.changed("consents.changed"),
    onHeld: () => events.changed("denials.changed"),
  });
  const missed = new MissedRequests({
    settings: store.settings,
    clock: store.clock,
    changed: () => events.changed("missed.changed"),
    report,
  });
  const turnedAway = new TurnedAway(
    atMostEvery(time.scheduler, COUNTED_EVERY_MS, () => events.changed("turned_away.changed")),
  );
  const recalled = new RecalledCalls((agentId) => store.agents.agent(agentId) !== undefined);
  const announced = new AnnouncedRequests(parts.folding);
  const feed = new RunningFeed(time.scheduler, () => events.changed("running.changed"));
  const agentsChanged = (): void => events.changed("agents.changed");
  const tried = new TriedFolders({
    tools,
    agents: store.agents,
    ignored: parts.ignored,
    now: () => time.monotonic.now(),
    changed: agentsChanged,
  });
  const tasks = { gone: (agentId: string) => endTasks(agentId) };
  const targets = new CallTargets({
    argumentsOf: (wanted) => {
      const now = live.find(wanted)?.call;
      const isNow = now?.arguments_digest === wanted.arguments_digest;
      return isNow ? now.arguments : recalled.argumentsOf(wanted);
    },
    folders: (agentId) =>
      store.agents
        .agent(agentId)
        ?.roots.filter(isFolder)
        .map(({ path }) => path) ?? [],
  });
  store.keepTargets(parts.hostKey.keyFor("call targets"), (call, args) =>
    store.settings.current().log_targets ? targets.ofCall(call, args) : null,
  );
  const shown: CallObserver = {
    asked: (question) => {
      const transport = store.agents.agent(question.agent_id)?.channel ?? "hub";
      void store.ledger.recordShown({ ...question, transport });
    },
  };
  const live: LiveCalls = new LiveCalls([
    announced,
    recalled,
    missed,
    turnedAway,
    feed,
    tried,
    targets,
    shown,
    tasks,
  ]);
  const endTasks = (agentId: string): void => {
    const given = [...store.grants.rules(agentId), ...(store.agents.agent(agentId)?.roots ?? [])];
    if (!given.some(({ for_task }) => for_task)) return;
    const ended = Promise.all([store.grants.endTasksOf(agentId), store.agents.endTasksOf(agentId)]);
    void ended.then(agentsChanged, report);
  };
  const pause = new PauseAll(store.settings, () => {
    events.changed("paused.changed");
    if (pause.isOn()) live.end({}, "paused");
  });
  // Silent calls may come a thousand times a second.
  const counted = atMostEvery(time.scheduler, COUNTED_EVERY_MS, agentsChanged);
  const turns = new Turns(later);
  const ports = {
    pause,
    grants: announcing(store, agentsChanged, counted),
    validator: parts.validator,
    tools,
    consent: queue,
    settings: store.settings,
    ledger: store.ledger,
    clock: store.clock,
    scheduler: time.scheduler,
    live,
  };
  const portsOf: CallsModule["portsOf"] = ({ agents, toolsFrom = (ours) => ours }) => ({
    ...ports,
    agents: inTurn(turns, policed(parts.suspensions.over(agents), parts.policy.policy)),
    tools: toolsFrom(tools),
  });
  return {
    live,
    pause,
    missed,
    turnedAway,
    nameOf: (agentId) => naming.label(agentId),
    recalled,
    tried,
    consent: new ConsentActions({
      queue,
      tools,
      agents: store.agents,
      naming,
      announced,
      live,
      now: () => store.clock.now(),
    }),
    reconsider: (covered) => queue.reconsider(covered),
    portsOf,
    intake(channel) {
      const served = portsOf(channel);
      return {
        handle: (arrival) => handleCall(served, { ...arrival, transport: channel.name }),
        giveUp: (call, isLate) => live.giveUp(call, isLate),
        carriedOut: (call, status, result_digest) =>
          store.ledger.recordCarriedOut({
            ...call,
            status,
            result_digest,
            timestamp: store.clock.now(),
          }),
        snapshots: parts.snapshots,
      };
    },
    waiting: () => queue.waiting().length,
    held: () => queue.held().length,
    running: () =>
      live.running().map((live) => {
        const { agent_id, call } = live;
        const target = targets.of(agent_id, call.tool_name, call.arguments);
        return runningView(live, store.agents.agent(agent_id)?.name ?? "", target);
      }),
    targets,
    cancel(call) {
      if (live.find(call)?.state !== "running") return false;
      live.end(call, "cancelled");
      return true;
    },
    recall(call) {
      const now = live.find(call);
      const running = now?.state === "running" ? now.call.arguments : undefined;
      return recalled.of(call) ?? (running ? { arguments: running, result: null } : null);
    },
  };
}

/** The same agents, with what an administrator's policy leaves them. */
const policed = (agents: AgentSource, policy: Policy): AgentSource => ({
  ready: (agentId) => agents.ready(agentId),
  isGone: (agentId) => agents.isGone(agentId),
  agent(agentId) {
    const known = agents.agent(agentId);
    return known && agentUnderPolicy(policy, known);
  },
});

/** The same agents, each of whose calls is examined when it is the agent's turn. */
const inTurn = (turns: Turns, agents: AgentSource): AgentSource => ({
  ready: (agentId) => turns.next(agentId).then(() => agents.ready(agentId)),
  agent: (agentId) => agents.agent(agentId),
  isGone: (agentId) => agents.isGone(agentId),
});
