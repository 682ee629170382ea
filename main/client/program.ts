import { hubRequest, hubRest } from "../channels/hub-rest.ts";
import { AllPairings, pairingsChanged } from "./agents/all-pairings.ts";
import { BreakingMarks } from "./agents/breaking-marks.ts";
import { IgnoredFolders } from "./agents/ignored-folders.ts";
import { hubAgentsAmong } from "./agents/known-agents.ts";
import { openAgents } from "./agents/open-agents.ts";
import { Suspensions } from "./agents/suspensions.ts";
import { hostMemory } from "./bridge/host-state.ts";
import { openBridge } from "./bridge/open-bridge.ts";
import { openCalls } from "./calls/open-calls.ts";
import { openConversations } from "./conversations/open-conversations.ts";
import { HubMoves } from "./hub/hub-move.ts";
import { hubAgents, type OpenedHubChannel, openHubChannel } from "./hub/open-hub-channel.ts";
import { PairingQueue } from "./hub/pairing-queue.ts";
import { AgentStates, Presence } from "./hub/presence.ts";
import { RegisteredAgents } from "./hub/registered-agents.ts";
import { RelationSync } from "./hub/relation-sync.ts";
import { openKeyServices } from "./keys/key-services.ts";
import { Notices } from "./notices.ts";
import { ProgramEvents } from "./program-events.ts";
import type { Program, ProgramParts } from "./program-parts.ts";

export type { Program, ProgramParts };

/** The client without its window: one factory per room, in the order of their dependencies. */
export function createProgram(parts: ProgramParts): Program {
  const { store, hub, time, end, naming, report } = parts;
  const { clock } = store;
  const { scheduler } = time;
  const events = new ProgramEvents();
  const notices = new Notices(events);
  const suspensions = new Suspensions(store.settings);
  const breaking = new BreakingMarks(store.settings);
  const ignored = new IgnoredFolders(store.settings);
  const calls = openCalls({ ...parts, suspensions, ignored }, events);
  const { live, intake } = calls;

  const request = hubRequest(
    () => hub.url,
    () => hub.issueAccessToken(),
  );
  hub.hear(() => events.changed("hub.changed"));
  const rest = hubRest(request);
  const known = hubAgentsAmong(store.agents);
  const statuses = new AgentStates();
  const presence = new Presence(scheduler, (agent_id) => live.end({ agent_id }, "agent_gone"));
  const sync = new RelationSync({
    rest,
    agents: store.agents,
    clock,
    statuses,
    suspensions,
    breaking,
    live,
    naming,
    notices,
    events,
    report,
  });
  const conversations = openConversations({
    parts,
    agents: known,
    targets: calls.targets,
    settledFor: (agentId) => sync.settledFor(agentId),
    presence,
    statuses: {
      of: (agentId) => suspensions.statusOf(agentId, statuses.of(agentId)),
    },
    notices,
    events,
    rest,
    channel: () => hubChannel.line,
  });
  const keys = openKeyServices({
    end,
    agents: known,
    naming,
    memberName: (...member) => conversations.conversations.memberName(...member),
    request,
    clock,
    scheduler,
    deliverFile: parts.deliverFile,
    settledFor: (agentId) => sync.settledFor(agentId),
    notices,
    live,
    events,
    report,
  });
  const pairings = new PairingQueue(rest, sync, keys.keyring, naming, events);
  const registered = new RegisteredAgents({
    rest,
    agents: store.agents,
    statuses,
    sync,
    keyring: keys.keyring,
    naming,
    events,
  });
  const hubChannel: OpenedHubChannel = openHubChannel({
    parts,
    intake,
    agents: hubAgents({ agents: known, sync, keys, presence, statuses, naming, rest, report }),
    known,
    rest,
    presence,
    pairings,
    sync,
    keys,
    ...conversations,
    events,
  });
  const channels = [
    hubChannel,
    ...parts.channels.map((open) =>
      open({
        intake,
        agents: store.agents,
        deniedScopes: parts.policy.policy.deniedScopes,
        live,
        clock,
        settings: store.settings,
        changed: () => events.changed("agents.changed"),
        pairingsChanged: () => pairingsChanged(events),
        report,
      }),
    ),
  ];
  const agents = openAgents({
    ...parts,
    suspensions,
    breaking,
    channels,
    live,
    portsOf: calls.portsOf,
    reconsider: calls.reconsider,
    recalled: calls.recalled,
    ignored,
    tried: calls.tried,
    conversations: conversations.conversations,
    events,
  });
  const moves = new HubMoves({
    hub,
    agents: known,
    statuses,
    naming,
    e2ee: end.e2ee,
    sync,
    line: () => hubChannel.line,
    clock,
    scheduler,
    report,
  });
  const bridge = openBridge({
    parts,
    moves,
    events,
    notices,
    calls,
    agents,
    suspensions,
    registered,
    pairings: new AllPairings(
      pairings,
      channels.flatMap((channel) => channel.pairings ?? []),
      naming,
    ),
    conversations,
    keys,
    hub: hubChannel,
  });

  return {
    answer: bridge.answer,
    subscribe: bridge.subscribe,
    waiting: calls.waiting,
    held: calls.held,
    notify: (notice) => notices.add(notice),
    settle: (code) => notices.settle(code),
    memory: hostMemory(store.settings),
    open() {
      bridge.open();
      keys.keys.refresh();
      for (const channel of channels) channel.open();
    },
    async close() {
      const ended = live.shutDown();
      bridge.close();
      await sync.settled();
      await ended;
      for (const channel of channels) channel.close();
      keys.close();
      events.removeAllListeners();
    },
  };
}
