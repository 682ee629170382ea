import { lossIn } from "../../../app/audit/rollback.ts";
import type { ChainVerdict } from "../../../app/audit/verify-chain.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { ChainView, Snapshot } from "../../../app/bridge/views.ts";
import { pastedDigest } from "../../../app/contract/pasted-digest.ts";
import type { Settings } from "../../../app/contract/settings.ts";
import { openLog } from "../../storage/index.ts";
import type { AllPairings } from "../agents/all-pairings.ts";
import type { ConnectedModel } from "../agents/connected-model.ts";
import type { AgentsServices } from "../agents/open-agents.ts";
import type { Rules } from "../agents/rules.ts";
import type { ShippedProgram } from "../agents/shipped-program.ts";
import type { Suspensions } from "../agents/suspensions.ts";
import type { CallsModule } from "../calls/open-calls.ts";
import {
  conversationHandlers,
  type OpenedConversations,
} from "../conversations/open-conversations.ts";
import { done } from "../done.ts";
import type { DeliverFile, PageHandlers } from "../host-port.ts";
import type { HubMoves } from "../hub/hub-move.ts";
import type { OpenedHubChannel } from "../hub/open-hub-channel.ts";
import type { RegisteredAgents } from "../hub/registered-agents.ts";
import type { KeyServices } from "../keys/key-services.ts";
import type { Notices } from "../notices.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import { completedFolders } from "./complete-folder.ts";
import type { startAtLogin } from "./host-state.ts";
import { byPercent, fileStamp, logExport } from "./log-export.ts";
import { ownDataHandlers } from "./own-data/own-data-handlers.ts";

export interface BridgeServices {
  readonly parts: ProgramParts;
  readonly events: ProgramEvents;
  readonly notices: Notices;
  readonly calls: CallsModule;
  readonly agents: AgentsServices;
  readonly suspensions: Suspensions;
  readonly registered: RegisteredAgents;
  readonly pairings: AllPairings;
  readonly conversations: OpenedConversations;
  readonly keys: KeyServices;
  readonly hub: OpenedHubChannel;
  readonly moves: HubMoves;
}

export interface BridgeCallParts extends BridgeServices {
  readonly login: ReturnType<typeof startAtLogin>;
  readonly sampleAgent: ShippedProgram;
  readonly model: ConnectedModel;
  readonly snapshot: () => Snapshot;
  /** Aborted when the program ends. */
  readonly ending: AbortSignal;
}

function chainView(verdict: ChainVerdict): ChainView {
  const { ok, verified } = verdict;
  if (!ok) return { ok, verified, seq: verdict.seq, fault: verdict.fault, acknowledged: [] };
  const acknowledged = (verdict.acknowledged ?? []).map((record) => ({
    first_lost: lossIn(record),
    acknowledged_at: record.timestamp,
  }));
  return { ok, verified, seq: null, fault: null, acknowledged };
}

/** The handlers of all calls that a renderer may make. */
export function bridgeCalls(rooms: BridgeCallParts): CallHandlers {
  const { parts, events, calls, pairings, notices, sampleAgent, model, login, snapshot } = rooms;
  const { store } = parts;
  const { activity, settings } = store;
  const { consent } = calls;
  const { permissions, actions } = rooms.agents;
  const exportFile = logExport({
    dataDir: parts.dataDir,
    clock: store.clock,
    deliver: parts.deliverFile,
    targetOf: (line) => store.targetOf(line),
  });
  const changeSettings = async (next: Partial<Settings>): Promise<null> => {
    const { profile, updates, update_channel, language, log_targets, keep_files } =
      settings.current();
    await settings.update(next);
    events.changed("settings.changed");
    const now = settings.current();
    if (now.updates !== updates || now.update_channel !== update_channel) parts.updates?.look();
    if (log_targets && !now.log_targets) await store.forgetTargets();
    if (keep_files && !now.keep_files) await parts.takeBack.forget();
    if (now.language !== language) model.languageChanged();
    // What waits is decided by what counts now (contract §3).
    if (now.profile !== profile) calls.reconsider(() => true);
    return null;
  };
  const page = (): PageHandlers => {
    if (parts.page === null) throw bridgeError("not_found");
    return parts.page;
  };
  return {
    "app.snapshot": () => snapshot(),
    "consent.list": () => ({
      consents: consent.cards(),
      denials: consent.denials(),
      turned_away: calls.turnedAway.view(calls.nameOf),
      settings: settings.current(),
    }),
    "consent.opened": ({ request_id }) => done(consent.opened(request_id)),
    "consent.reading": ({ request_id }) => done(consent.reading(request_id)),
    "consent.read": ({ request_id }) => done(consent.read(request_id)),
    "consent.held": ({ request_id, held }) => done(consent.held(request_id, held)),
    "consent.answer": (args) => done(consent.answer(args)),
    "consent.deny_and_tell": (args) => done(consent.denyAndTell(args)),
    "consent.undo": ({ request_id }) => done(consent.undo(request_id)),
    "consent.show": () => done(parts.requestsWindow?.show()),
    "consent.put_off": () => done(parts.requestsWindow?.putOff()),
    "consent.answer_group": (args) => done(consent.answerGroup(args)),
    "consent.answer_there": ({ request_id }) => done(consent.answerThere(request_id)),
    "pairing.answer": ({ pairing_id, accept, granted_scopes, hook_way: way, merge = false }) =>
      done(pairings.answer(pairing_id, accept, granted_scopes, { way, merge })),
    "agents.set_hook_way": ({ agent_id, way }) => done(actions.setHookWay(agent_id, way)),
    "agents.set_scopes": ({ agent_id, manifest_version, granted_scopes }) =>
      done(permissions.setScopes(agent_id, manifest_version, granted_scopes)),
    "agents.mark_reviewed": ({ agent_id, manifest_version }) =>
      done(permissions.markReviewed(agent_id, manifest_version)),
    "agents.pause": ({ paused }) => done(calls.pause.set(paused)),
    "agents.rename": ({ agent_id, petname }) => done(actions.rename(agent_id, petname)),
    "agents.suspend": ({ agent_id, suspended }) => done(actions.suspend(agent_id, suspended)),
    "agents.remove": ({ agent_id, keep_history = false }) =>
      done(actions.remove(agent_id, keep_history)),
    "agents.register": ({ name, text }) => rooms.registered.register(name, text),
    "agents.find": ({ text }) => rooms.registered.find(text),
    "agents.add": (addition) => done(rooms.registered.add(addition)),
    "agents.differences": ({ agent_id }) => actions.differences(agent_id),
    ...ruleHandlers({
      rules: rooms.agents.rules,
      deliver: parts.deliverFile,
      now: () => store.clock.now(),
    }),
    "profile.set": ({ profile }) => changeSettings({ profile }),
    "missed.dismiss": () => done(calls.missed.dismiss()),
    "turned_away.seen": () => done(calls.turnedAway.seen()),
    "permissions.revoke_scope": ({ agent_id, scope }) =>
      done(permissions.revokeScope(agent_id, scope)),
    "permissions.revoke_agent": ({ agent_id }) => done(permissions.revokeAgent(agent_id)),
    "permissions.revoke_all": () => done(permissions.revokeAll()),
    "permissions.end_quiet_period": (key) => done(permissions.endQuietPeriod(key)),
    "permissions.add_root": ({ agent_id, path, access }) =>
      done(permissions.addRoot(agent_id, path, access)),
    "permissions.ignore_folder": ({ agent_id, path }) =>
      done(permissions.ignoreFolder(agent_id, path)),
    "permissions.remove_root": ({ agent_id, root_id }) =>
      done(permissions.removeRoot(agent_id, root_id)),
    "permissions.add_host": ({ agent_id, host }) => done(permissions.addHost(agent_id, host)),
    "permissions.remove_host": ({ agent_id, ...host }) =>
      done(permissions.removeHost(agent_id, host)),
    "folders.pick": async ({ start_at }) => {
      const picker = parts.folderPicker();
      if (picker === null) throw bridgeError("not_found");
      return { path: await picker.pick(start_at ?? null, rooms.ending) };
    },
    "folders.complete": ({ text }) => completedFolders(text),
    "running.cancel": (call) => {
      if (!calls.cancel(call)) throw bridgeError("not_found");
      return null;
    },
    "calls.recall": (call) => calls.recall(call),
    "changes.look": (which) => parts.takeBack.look(which),
    "changes.take_back": (which) => parts.takeBack.take(which),
    ...conversationHandlers(rooms.conversations, (conversationId) => {
      calls.recalled.forgetConversation(conversationId);
      model.forget(conversationId);
    }),
    "activity.page": async (filter) => {
      const { rows, ...page } = await activity.page(filter);
      return { ...page, rows: rows.map((row) => calls.targets.withTarget(row)) };
    },
    "activity.summary": (filter) => activity.summary(filter),
    "activity.verify": async () => {
      const verdict = await activity.verify(
        byPercent((verified, total) => events.tell("activity.verifying", { verified, total })),
      );
      return chainView(verdict);
    },
    "activity.acknowledge": async () => {
      await store.acknowledgeRollbacks();
      notices.settle("log_rolled_back");
      return null;
    },
    "activity.export": (args) => exportFile(args),
    "activity.digest": ({ text }) => pastedDigest(text),
    "settings.set": changeSettings,
    ...ownDataHandlers({
      version: parts.version,
      settings,
      agents: store.agents,
      petname: (agentId) => parts.naming.petname(agentId),
      isSuspended: (agentId) => rooms.suspensions.has(agentId),
      grants: store.grants,
      conversations: rooms.conversations.kept,
      openLog: () => openLog(parts.dataDir),
      now: () => store.clock.now(),
      userId: parts.hub.userId,
      setSettings: changeSettings,
      kept: settings,
      deliver: parts.deliverFile,
      changed: () => events.changed("conversations.changed"),
    }),
    "hub.move": ({ link }) => rooms.moves.move(link),
    "data.remove": async () => {
      (await parts.apps()).disconnectAll();
      if (login.state() === "on") await login.set(false);
      events.tell("data.removed", null);
      // The page is answered first.
      setImmediate(parts.removeData);
      return null;
    },
    "login_start.set": ({ on }) => done(login.set(on)),
    "updates.look": () => {
      if (parts.updates === undefined) throw bridgeError("not_found");
      parts.updates.look();
      return null;
    },
    ...rooms.keys.calls,
    "notices.dismiss": ({ code }) => done(notices.dismiss(code)),
    "apps.list": async () => (await parts.apps()).list(),
    "apps.change": async (wanted) => (await parts.apps()).change(wanted),
    "apps.apply": async ({ digest, ...wanted }) => done((await parts.apps()).apply(wanted, digest)),
    "sample_agent.start": () =>
      done(sampleAgent.start(["--hub", parts.hub.url, "--user", parts.hub.userId])),
    "model.connect": (args) => done(model.connect(args)),
    "model.start": () => done(model.start()),
    "model.stop": () => done(model.stop()),
    "model.remove": () => done(model.remove()),
    "page.answer": (args) => done(page().answer(args)),
    "page.abilities": (args) => done(page().abilities(args)),
    "page.attended": (args) => done(page().attended(args)),
  };
}

interface RuleHandlerParts {
  readonly rules: Rules;
  readonly deliver: DeliverFile;
  readonly now: () => number;
}

type RuleCall = "rules.add" | "rules.remove" | "rules.test" | "rules.export" | "rules.import";

const ruleHandlers = ({ rules, deliver, now }: RuleHandlerParts): Pick<CallHandlers, RuleCall> => ({
  "rules.add": (wanted) => done(rules.add(wanted)),
  "rules.remove": ({ agent_id, rule_id }) => done(rules.remove(agent_id, rule_id)),
  "rules.test": (tested) => rules.test(tested),
  "rules.export": async ({ agent_id }) => {
    const { text, ...counts } = rules.fileOf(agent_id);
    const delivered = await deliver({
      name: `consentry-rules-${fileStamp(now())}.json`,
      mediaType: "application/json; charset=utf-8",
      open: async function* () {
        yield new TextEncoder().encode(text);
      },
    });
    return { ...delivered, ...counts };
  },
  "rules.import": ({ agent_id, text }) => rules.takeFile(agent_id, text),
});
