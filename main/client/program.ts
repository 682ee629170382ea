import { randomBytes, randomUUID } from "node:crypto";
import type { EventName } from "../../app/bridge/events.ts";
import { answerCalls } from "../../app/bridge/register-calls.ts";
import type { Snapshot } from "../../app/bridge/views.ts";
import type { ExecutionPorts } from "../../app/execution/execution-ports.ts";
import { handleCall } from "../../app/execution/handle-call.ts";
import { InFlightCalls } from "../../app/execution/replay.ts";
import { HubChannel } from "../channels/hub-channel.ts";
import { hubRequest, hubRest } from "../channels/hub-rest.ts";
import { AgentActions } from "./agents/agent-actions.ts";
import { agentCards } from "./agents/agent-cards.ts";
import { announcing } from "./agents/announcing-grants.ts";
import { PairingDesk } from "./agents/pairing-desk.ts";
import { Permissions } from "./agents/permissions.ts";
import { recipientsIn } from "./agents/recipients.ts";
import { RelationKeeper } from "./agents/relation-keeper.ts";
import { SampleAgent } from "./agents/sample-agent.ts";
import { Standings } from "./agents/standings.ts";
import { lineFeed } from "./bridge/audit-feed.ts";
import { bridgeCalls } from "./bridge/bridge-calls.ts";
import { EventHub } from "./bridge/event-hub.ts";
import { hostMemory } from "./bridge/host-memory.ts";
import { hubEvents } from "./bridge/hub-events.ts";
import { logExport } from "./bridge/log-export.ts";
import { fullHistoriesNotice, Notices } from "./bridge/notices.ts";
import { pickFolder } from "./bridge/pick-folder.ts";
import { callsAtWork } from "./calls/calls-at-work.ts";
import { ConsentActions } from "./calls/consent-actions.ts";
import { conversationHandlers } from "./conversations/conversation-handlers.ts";
import { openConversations } from "./conversations/open-conversations.ts";
import { keyRoom } from "./keys/key-room.ts";
import { startAtLogin } from "./launch/start-at-login.ts";
import type { Program, ProgramParts } from "./program-parts.ts";

export type { Program, ProgramParts };

/** The client without its window: every part is made here, and wired to the others. */
export function createProgram(parts: ProgramParts): Program {
  const { store, hub, time, tools, end, naming, report } = parts;
  const events: EventHub = new EventHub({
    "consents.changed": () => consent.cards(),
    "agents.changed": () => cards(),
    "pairings.changed": () => pairings.list(),
    "settings.changed": () => store.settings.current(),
    "paused.changed": () => ({ paused: pause.isOn() }),
    "login_start.changed": () => login.state(),
    "notices.changed": () => notices.list(),
    "hub.changed": () => ({ connected: hubConnected }),
    "sample_agent.changed": () => sampleAgent.state,
    "running.changed": () => runningViews(),
    "conversations.changed": () => conversations.list(),
    "keys.changed": () => room.keys.view(),
    "missed.changed": () => missed.view(),
  });
  const changed = (...names: EventName[]) => {
    events.changed(...names);
    if (names.includes("agents.changed")) room.grantsChanged();
  };
  let hubConnected = false;
  let closing = false;
  const ending = new AbortController();

  const work = callsAtWork({
    store,
    time,
    folding: parts.folding,
    changed,
    consentsChanged: () => {
      changed("consents.changed");
      conversations.waiting(consent.cards());
    },
    isClosing: () => closing,
    answer: async (arrival) => {
      if (closing) return null;
      await keeper.settledFor(arrival.agent_id);
      await room.settledFor(arrival.agent_id);
      return closing ? null : handleCall(ports, arrival);
    },
    report,
  });
  const { desk, running, runningViews, stop, pause, presence, missed, recalled } = work;
  const login = startAtLogin(parts.loginStart ?? null, () => changed("login_start.changed"));
  const standings = new Standings();
  const cards = () =>
    agentCards({
      ...store,
      isOnline: (agentId) => presence.isOnline(agentId),
      standing: (agentId) => standings.of(agentId),
      naming,
    });
  const ports: ExecutionPorts = {
    agents: {
      agent(agentId) {
        const served = room.served(keeper.served(store.agents.agent(agentId)));
        return served && { ...served, key_mark: naming.key(agentId) };
      },
    },
    pause,
    settings: store.settings,
    grants: announcing(store.grants, () => changed("agents.changed")),
    validator: parts.validator,
    tools,
    consent: work.consent,
    ledger: work.ledger,
    clock: store.clock,
    scheduler: time.scheduler,
    inFlight: new InFlightCalls(),
    running,
  };

  store.onLine(
    lineFeed({
      scheduler: time.scheduler,
      isHeard: () => events.isHeard,
      tell: (row) => {
        events.emit("activity.changed", row);
        conversations.line(row);
      },
    }),
  );

  const accessToken = () => hub.issueAccessToken();
  const request = hubRequest(hub.url, accessToken);
  const rest = hubRest(hub.url, accessToken);
  const keeper = new RelationKeeper({
    rest,
    agents: store.agents,
    clock: store.clock,
    standings,
    manifestChanged: (agentId) => {
      desk.withdraw((request) => request.agent_id === agentId, "manifest_changed");
      changed("agents.changed");
    },
    updated: () => changed("agents.changed"),
    lost: (agentIds) => {
      const names = agentIds.map(
        (id, index) =>
          [`agent_${index}`, naming.label(id) ?? store.agents.agent(id)?.name ?? id] as const,
      );
      notices.add({ code: "agents_lost", params: Object.fromEntries(names) });
    },
    ended: (agentId) => {
      stop(agentId, null, "scope_revoked");
      changed("agents.changed");
    },
    report,
  });
  const notices = new Notices(() => changed("notices.changed"));
  const room = keyRoom({
    end,
    agents: store.agents,
    naming,
    memberName: (...whose) => conversations.memberName(...whose),
    request,
    clock: store.clock,
    scheduler: time.scheduler,
    deliverFile: parts.deliverFile,
    // By its key an agent is told apart wherever it is named.
    changed: () => changed("keys.changed", "agents.changed"),
    settledFor: (agentId) => keeper.settledFor(agentId),
    notify: (notice) => notices.add(notice),
    withdraw: (code) => notices.settle(code),
    stop: (agentId) => stop(agentId, null, "scope_revoked"),
    accepted: (agentId) => channel.release(agentId),
    renewed: (conversationId, agentId) => void channel.signSession(conversationId, agentId),
    report,
  });
  const pairings = new PairingDesk(rest, keeper, room.keyring, naming, () =>
    // Whose request waits may have a namesake from now on.
    changed("pairings.changed", "agents.changed", "consents.changed"),
  );
  const consent = new ConsentActions(desk, tools, store.agents, naming, work.announced);
  const permissions = new Permissions({
    agents: store.agents,
    grants: store.grants,
    rest,
    isNewest: (agentId, version) => keeper.isNewest(agentId, version),
    stop,
    changed: () => changed("agents.changed"),
    report,
  });
  const { conversations, manifests, heard } = openConversations({
    parts,
    rest,
    isOnline: (agentId) => presence.isOnline(agentId),
    standings,
    naming,
    channel: () => channel,
    historiesFull: (full) => {
      if (full.length === 0) notices.settle("history_full");
      else notices.add(fullHistoriesNotice(full, (agentId) => naming.label(agentId)));
    },
    emit: (name, event) => events.emit(name, event),
    changed: () => changed("conversations.changed"),
  });
  const agentActions = new AgentActions({
    agents: store.agents,
    permissions,
    petnames: parts.petnames,
    standings,
    rest,
    conversations,
    recalled,
    changed: () =>
      changed("agents.changed", "consents.changed", "conversations.changed", "pairings.changed"),
  });
  const sampleAgent = new SampleAgent({
    script: parts.sampleAgentScript,
    hubUrl: hub.url,
    start: parts.startProgram,
    changed: () => changed("sample_agent.changed"),
    failed: () => notices.add({ code: "sample_agent_failed", params: {} }),
  });
  const channel = new HubChannel({
    open: () => hub.connectHuman(),
    accessToken: () => hub.issueAccessToken(),
    sealing: room.sealing,
    acquainted: (agentId) => room.keyring.acquainted(agentId),
    recipients: (conversationId) => recipientsIn(conversationId, store.agents, request, hub.userId),
    keep: (message) => conversations.keep(message),
    clock: {
      after: (ms, run) => time.scheduler.after(ms, run),
      now: () => time.monotonic.now(),
      random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    },
    newMessageId: () => randomUUID(),
    ...work.taken,
    events: hubEvents({
      presence,
      pairings,
      keeper,
      keys: room,
      conversations: heard,
      connected(isConnected) {
        hubConnected = isConnected;
        conversations.connected(isConnected);
        changed("hub.changed");
      },
      agentsChanged: () => changed("agents.changed", "conversations.changed"),
    }),
  });
  const snapshot = (): Snapshot => ({
    host: parts.kind,
    version: parts.version,
    hub_url: hub.url,
    data_dir: parts.dataDir,
    hub_connected: hubConnected,
    settings: store.settings.current(),
    paused: pause.isOn(),
    login_start: login.state(),
    agents: cards(),
    pairings: pairings.list(),
    consents: consent.cards(),
    running: runningViews(),
    missed: missed.view(),
    folder_picker: parts.folderPicker() !== null,
    notices: notices.list(),
    sample_agent: sampleAgent.state,
    keys: room.keys.view(),
  });
  const calls = bridgeCalls({
    snapshot,
    consent,
    pairings,
    permissions,
    agents: agentActions,
    work,
    conversations: conversationHandlers(conversations, manifests, recalled),
    activity: store.activity,
    acknowledgeRollbacks: () => store.acknowledgeRollbacks(),
    notices,
    keyCalls: room.calls,
    sampleAgent,
    settings: () => store.settings.current(),
    saveSettings: async (settings) => {
      await store.settings.update(settings);
      changed("settings.changed");
    },
    pause: (paused) => pause.set(paused),
    startAtLogin: (on) => login.set(on),
    exportLog: logExport({
      dataDir: parts.dataDir,
      clock: store.clock,
      deliver: parts.deliverFile,
    }),
    page: parts.page,
    pickFolder: (startAt) => pickFolder(parts.folderPicker(), startAt, ending.signal),
    verifying: (verified, total) => events.emit("activity.verifying", { verified, total }),
  });

  return {
    hubUrl: hub.url,
    dataDir: parts.dataDir,
    version: parts.version,
    answer: answerCalls(calls, report),
    subscribe: (listener, signal) => events.subscribe(listener, signal),
    waiting: () => desk.waiting().length,
    notify: (notice) => notices.add(notice),
    memory: hostMemory(store.settings),
    open() {
      void room.keys.refresh();
      channel.open();
    },
    async close() {
      closing = true;
      ending.abort("closing");
      sampleAgent.stop();
      desk.withdraw(() => true, "shutdown");
      running.close("shutdown");
      await keeper.settled();
      await ports.inFlight.settled();
      channel.close();
      conversations.connected(false);
      room.close();
      events.end();
    },
  };
}
