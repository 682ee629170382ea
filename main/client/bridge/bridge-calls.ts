import { lossIn } from "../../../app/audit/rollback.ts";
import type { ChainVerdict } from "../../../app/audit/verify-chain.ts";
import type { CallArgs } from "../../../app/bridge/calls.ts";
import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { ChainView, FileDelivery, Snapshot } from "../../../app/bridge/views.ts";
import { pastedDigest } from "../../../app/contract/pasted-digest.ts";
import type { Settings } from "../../../app/contract/settings.ts";
import type { ActivityReader } from "../../storage/index.ts";
import type { AgentActions } from "../agents/agent-actions.ts";
import type { PairingDesk } from "../agents/pairing-desk.ts";
import type { Permissions } from "../agents/permissions.ts";
import type { SampleAgent } from "../agents/sample-agent.ts";
import type { CallsAtWork } from "../calls/calls-at-work.ts";
import type { ConsentActions } from "../calls/consent-actions.ts";
import type { ConversationHandlers } from "../conversations/conversation-handlers.ts";
import type { KeyRoom } from "../keys/key-room.ts";
import { byPercent } from "../launch/by-percent.ts";
import type { PageHandlers } from "../launch/host-port.ts";
import type { Notices } from "./notices.ts";

export interface BridgeCallParts {
  readonly snapshot: () => Snapshot;
  readonly consent: ConsentActions;
  readonly pairings: PairingDesk;
  readonly permissions: Permissions;
  readonly agents: AgentActions;
  readonly work: Pick<CallsAtWork, "cancel" | "missed" | "recall">;
  readonly conversations: ConversationHandlers;
  readonly activity: ActivityReader;
  readonly acknowledgeRollbacks: () => Promise<void>;
  readonly exportLog: (args: CallArgs<"activity.export">) => Promise<FileDelivery>;
  readonly notices: Notices;
  readonly keyCalls: KeyRoom["calls"];
  readonly sampleAgent: SampleAgent;
  readonly settings: () => Settings;
  readonly saveSettings: (settings: Settings) => Promise<void>;
  readonly pause: (paused: boolean) => Promise<void>;
  /** @throws BridgeError `not_found` where the host does not offer it */
  readonly startAtLogin: (on: boolean) => Promise<void>;
  readonly page: PageHandlers | null;
  /** @throws BridgeError `not_found` where there is no picker */
  readonly pickFolder: (startAt: string | null) => Promise<string | null>;
  readonly verifying: (verified: number, total: number) => void;
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

/** Every call a renderer may make, each handed to the part that knows about it. */
export function bridgeCalls(parts: BridgeCallParts): CallHandlers {
  const { consent, pairings, permissions, activity, notices, sampleAgent, work } = parts;
  const done = async (work: unknown): Promise<null> => {
    await work;
    return null;
  };
  const page = (): PageHandlers => {
    if (parts.page === null) throw new BridgeError("not_found");
    return parts.page;
  };
  return {
    "app.snapshot": () => parts.snapshot(),
    "consent.list": () => ({ consents: consent.cards(), settings: parts.settings() }),
    "consent.opened": ({ request_id }) => done(consent.opened(request_id)),
    "consent.answer": (args) => done(consent.answer(args)),
    "consent.deny_all_from_agent": ({ agent_id }) => done(consent.denyAllFrom(agent_id)),
    "pairing.answer": ({ pairing_id, accept, granted_scopes }) =>
      done(pairings.answer(pairing_id, accept, granted_scopes)),
    "agents.set_scopes": ({ agent_id, manifest_version, granted_scopes }) =>
      done(permissions.setScopes(agent_id, manifest_version, granted_scopes)),
    "agents.mark_reviewed": ({ agent_id, manifest_version }) =>
      done(permissions.markReviewed(agent_id, manifest_version)),
    "agents.pause": ({ paused }) => done(parts.pause(paused)),
    "agents.rename": ({ agent_id, petname }) => done(parts.agents.rename(agent_id, petname)),
    "agents.remove": ({ agent_id, keep_history = false }) =>
      done(parts.agents.remove(agent_id, keep_history)),
    "agents.differences": ({ agent_id }) => parts.agents.differences(agent_id),
    "missed.dismiss": () => done(work.missed.dismiss()),
    "permissions.revoke_scope": ({ agent_id, scope }) =>
      done(permissions.revokeScope(agent_id, scope)),
    "permissions.revoke_agent": ({ agent_id }) => done(permissions.revokeAgent(agent_id)),
    "permissions.revoke_all": () => done(permissions.revokeAll()),
    "permissions.close_window": (key) => done(permissions.closeWindow(key)),
    "permissions.remove_rule": ({ agent_id, tool_name }) =>
      done(permissions.removeRule(agent_id, tool_name)),
    "permissions.add_root": ({ agent_id, path, access }) =>
      done(permissions.addRoot(agent_id, path, access)),
    "permissions.remove_root": ({ agent_id, root_id }) =>
      done(permissions.removeRoot(agent_id, root_id)),
    "permissions.add_host": ({ agent_id, host }) => done(permissions.addHost(agent_id, host)),
    "permissions.remove_host": ({ agent_id, ...host }) =>
      done(permissions.removeHost(agent_id, host)),
    "folders.pick": async ({ start_at }) => ({ path: await parts.pickFolder(start_at ?? null) }),
    "running.cancel": ({ agent_id, call_id }) => {
      if (!work.cancel(agent_id, call_id)) throw new BridgeError("not_found");
      return null;
    },
    "calls.recall": ({ agent_id, call_id }) => work.recall(agent_id, call_id),
    ...parts.conversations,
    "activity.page": (filter) => activity.page(filter),
    "activity.summary": (filter) => activity.summary(filter),
    "activity.verify": async () => {
      const verdict = await activity.verify(byPercent(parts.verifying));
      return chainView(verdict);
    },
    "activity.acknowledge": async () => {
      await parts.acknowledgeRollbacks();
      notices.settle("log_rolled_back");
      return null;
    },
    "activity.export": (args) => parts.exportLog(args),
    "activity.digest": ({ text }) => pastedDigest(text),
    "settings.set": (settings) => done(parts.saveSettings(settings)),
    "login_start.set": ({ on }) => done(parts.startAtLogin(on)),
    ...parts.keyCalls,
    "notices.dismiss": ({ code }) => done(notices.dismiss(code)),
    "sample_agent.start": () => done(sampleAgent.start()),
    "page.answer": (args) => done(page().answer(args)),
    "page.abilities": (args) => done(page().abilities(args)),
  };
}
