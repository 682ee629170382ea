import Type from "typebox";
import type { BridgeErrorCode } from "../../../app/bridge/client-bridge.ts";
import type { HubView } from "../../../app/bridge/hub-calls.ts";
import { answerCalls } from "../../../app/bridge/register-calls.ts";
import type { ActivityRow } from "../../../app/bridge/views.ts";
import { guardOf } from "../../../app/contract/checked.ts";
import { NOT_ADDED_EXIT } from "../../../app/contract/connected-model.ts";
import type { KeyMark } from "../../../app/contract/key-mark.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import { storeError } from "../../storage/index.ts";
import { ConnectedModel } from "../agents/connected-model.ts";
import { ShippedProgram } from "../agents/shipped-program.ts";
import type { ClientProgram } from "../host-port.ts";
import { hubFault } from "../hub/hub-move.ts";
import { type BridgeServices, bridgeCalls } from "./bridge-calls.ts";
import { EventHub, type Views } from "./event-hub.ts";
import { hostMemory, startAtLogin, systemTexts } from "./host-state.ts";
import { managedCard, managedPairing, underPolicy } from "./policy-gate.ts";

export interface Bridge extends Pick<ClientProgram, "answer" | "subscribe"> {
  /** What works by itself begins. */
  open(): void;
  close(): void;
}

const isUnwritable = (error: unknown): boolean =>
  storeError.is(error) && error.code === "store_unwritable";

/** What the sample agent tells the program that started it. */
const isSampleReport = guardOf(Type.Object({ event: Type.Literal("code"), code: Type.String() }));

/** The calls and events for pages. */
export function openBridge(rooms: BridgeServices): Bridge {
  const { parts, events, notices, calls, agents, pairings, conversations, keys, hub } = rooms;
  const { store, time, report } = parts;
  const { policy } = parts.policy;
  const ending = new AbortController();
  const login = startAtLogin(parts.loginStart ?? null, () => events.changed("login_start.changed"));
  const sampleChanged = () => events.changed("sample_agent.changed");
  let sampleCode: string | null = null;
  const sampleAgent = new ShippedProgram({
    script: parts.shipped.sampleAgent,
    start: parts.startProgram,
    changed: () => {
      sampleCode = null;
      sampleChanged();
    },
    said: (message) => {
      if (!isSampleReport(message)) return;
      notices.settle("sample_agent_failed");
      sampleCode = message.code;
      sampleChanged();
    },
    failed: (code) => {
      if (code !== NOT_ADDED_EXIT) notices.add({ code: "sample_agent_failed", params: {} });
    },
  });
  const model = new ConnectedModel({
    values: store.settings,
    secrets: parts.secrets,
    dataDir: parts.dataDir,
    hubUrl: () => parts.hub.url,
    userId: parts.hub.userId,
    script: parts.shipped.modelAgent,
    start: parts.startProgram,
    texts: () => systemTexts(store.settings.current().language),
    changed: () => events.changed("model.changed"),
  });
  const keyOf = (pairingId: string): KeyMark => {
    const asking = keys.keys.view().pairings.find(({ pairing_id }) => pairing_id === pairingId);
    return asking ? { kind: "known", fingerprint: asking.fingerprint } : { kind: "unknown" };
  };
  const views = {
    "consents.changed": () => calls.consent.cards(),
    "denials.changed": () => calls.consent.denials(),
    "agents.changed": () => agents.cards().map((card) => managedCard(policy, card)),
    "pairings.changed": () =>
      pairings.list().map((each) => managedPairing(policy, each, keyOf(each.pairing_id))),
    "settings.changed": () => store.settings.current(),
    "paused.changed": () => ({ paused: calls.pause.isOn() }),
    "login_start.changed": () => login.state(),
    "updates.changed": () => parts.updates?.view() ?? null,
    "notices.changed": () => notices.list(),
    "hub.changed": (): HubView => {
      const { url, isOwn, fault } = parts.hub;
      const { isConnected: connected } = hub;
      return { url, own: isOwn, connected, fault: fault === null ? null : hubFault(fault) };
    },
    "sample_agent.changed": () => ({
      state: sampleAgent.isRunning ? "running" : "idle",
      code: sampleCode,
    }),
    "model.changed": () => model.view,
    "running.changed": () => calls.running(),
    "conversations.changed": () => conversations.conversations.list(),
    "keys.changed": () => keys.keys.view(),
    "missed.changed": () => calls.missed.view(),
    "turned_away.changed": () => calls.turnedAway.view(calls.nameOf),
  } satisfies Views;
  const pages = new EventHub(views);
  events.on("changed", (names) => {
    pages.changed(...names);
    if (names.includes("consents.changed") || names.includes("denials.changed")) {
      const denied = calls.consent.denials().map(({ card }) => card);
      conversations.conversations.waiting([...calls.consent.cards(), ...denied]);
    }
  });
  events.on("page", (name, event) => pages.emit(name, event));
  store.onLine(
    lineFeed({
      scheduler: time.scheduler,
      isHeard: () => pages.isHeard,
      tell: (row) => {
        const told = calls.targets.withTarget(row);
        pages.emit("activity.changed", told);
        conversations.conversations.line(told);
      },
    }),
  );
  const handlers = bridgeCalls({
    ...rooms,
    login,
    sampleAgent,
    model,
    ending: ending.signal,
    snapshot: () => ({
      host: parts.kind,
      version: parts.version,
      hub: views["hub.changed"](),
      data_dir: parts.dataDir,
      settings: views["settings.changed"](),
      ...views["paused.changed"](),
      login_start: views["login_start.changed"](),
      updates: views["updates.changed"](),
      policy: parts.policy.view,
      agents: views["agents.changed"](),
      pairings: views["pairings.changed"](),
      consents: views["consents.changed"](),
      denials: views["denials.changed"](),
      running: views["running.changed"](),
      missed: views["missed.changed"](),
      turned_away: views["turned_away.changed"](),
      folder_picker: parts.folderPicker() !== null,
      notices: views["notices.changed"](),
      sample_agent: views["sample_agent.changed"](),
      model: views["model.changed"](),
      keys: views["keys.changed"](),
    }),
  });
  const codeOf = (error: unknown): BridgeErrorCode => {
    report(error);
    // The hub's files are on the same disk, and it says no more than that it failed.
    return isUnwritable(error) || !store.isWritable() ? "store_unwritable" : "internal_error";
  };
  return {
    answer: answerCalls(underPolicy(handlers, parts.policy, keyOf), codeOf),
    subscribe: (listener, signal) => pages.subscribe(listener, signal),
    open() {
      const changed = () => {
        events.changed("updates.changed");
        const { state, version } = views["updates.changed"]() ?? { state: "idle", version: null };
        if (state === "ready" && version !== null) {
          notices.add({ code: "update_ready", params: { version } });
        } else notices.settle("update_ready");
      };
      parts.updates?.follow(
        {
          settings() {
            const settings = store.settings.current();
            return { ...settings, updates: settings.updates && !policy.updatesOff };
          },
          memory: hostMemory(store.settings),
          scheduler: time.scheduler,
          now: () => store.clock.now(),
          changed,
        },
        ending.signal,
      );
    },
    close() {
      ending.abort("closing");
      void sampleAgent.stop();
      void model.stop();
      pages.end();
    },
  };
}

/** Milliseconds between updates of the UI about new entries. */
const INTERVAL_MS = 100;
/** Entries per update: in a flood only the newest are sent, and the page reads the rest. */
const TOLD_AT_ONCE = 100;

interface FeedPorts {
  readonly scheduler: Scheduler;
  readonly isHeard: () => boolean;
  readonly tell: (row: ActivityRow) => void;
}

/**
 * Collects log entries as they are written and sends the UI their latest state a few times a second,
 * without reading anything and without delaying any call.
 */
function lineFeed(ports: FeedPorts): (line: ActivityRow) => void {
  const fresh = new Map<number, ActivityRow>();
  let waiting = false;

  const flush = () => {
    waiting = false;
    const lines = [...fresh.values()].slice(-TOLD_AT_ONCE);
    fresh.clear();
    if (ports.isHeard()) for (const line of lines) ports.tell(line);
  };
  return (line) => {
    if (!ports.isHeard()) return;
    fresh.delete(line.line_id);
    fresh.set(line.line_id, line);
    if (waiting) return;
    waiting = true;
    ports.scheduler.after(INTERVAL_MS, flush);
  };
}
