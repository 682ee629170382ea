import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { Notice } from "../../../app/bridge/views.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import type { E2eeEvent } from "../../../app/encryption/e2ee/ports.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import { grantedScopes } from "../../../app/grants/grant.ts";
import { hubLedgers } from "../../channels/hub-keys.ts";
import type { HubRequest } from "../../channels/hub-rest.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import { done } from "../done.ts";
import type { DeliverFile } from "../host-port.ts";
import type { Notices } from "../notices.ts";
import type { ProgramEvents } from "../program-events.ts";
import { AgentKeyring } from "./agent-keyring.ts";
import { EnvelopeReports } from "./envelope-reports.ts";
import { GrantLedger } from "./grant-ledger.ts";
import { IdentityKeeping } from "./identity-keeping.ts";
import type { PersonEncryption } from "./person-encryption.ts";
import { PersonKeys } from "./person-keys.ts";

export interface KeyServicesPorts {
  readonly end: PersonEncryption;
  readonly agents: HubAgentReader;
  readonly naming: Pick<AgentNaming, "label">;
  /** The name of a member of a conversation. */
  readonly memberName: (conversationId: string, memberId: string) => string;
  readonly request: HubRequest;
  readonly clock: { now(): number };
  readonly scheduler: Scheduler;
  readonly deliverFile: DeliverFile;
  /** Resolves when nothing is under way that could make this agent known. */
  readonly settledFor: (agentId: string) => Promise<unknown>;
  readonly notices: Pick<Notices, "add" | "about" | "keep">;
  readonly live: Pick<LiveCalls, "end">;
  readonly events: ProgramEvents;
  readonly report: (error: unknown) => void;
}

type KeyCalls = Pick<CallHandlers, "keys.accept" | "keys.verify" | "keys.backup" | "keys.restore">;

export interface KeyServices {
  readonly keys: PersonKeys;
  readonly keyring: AgentKeyring;
  readonly calls: KeyCalls;
  /** Resolves when the agent's ledger was checked. */
  settledFor(agentId: string): Promise<void>;
  /** Connected to the hub: checks everything again. */
  connected(): void;
  /** An envelope from or to this agent was refused. */
  refused(agentId: string, code: string): void;
  /** Sends the remaining reports. */
  close(): void;
}

/** Creates and connects the keys, the ledgers and the identity's backups. */
export function openKeyServices(ports: KeyServicesPorts): KeyServices {
  const { end, agents, request, clock, events, report } = ports;
  const { identity, e2ee, backupTools } = end;
  // An agent's key distinguishes it wherever it is named.
  const changed = () => events.changed("keys.changed", "agents.changed");
  const { notices } = ports;
  const notify = (code: Notice["code"], agentId: string): void =>
    notices.about(code, agentId, { name: nameOf(agentId) });
  /** Its key or its ledger cannot be trusted. */
  const stop = (agent_id: string) => ports.live.end({ agent_id }, "scope_revoked");
  const nameOf = (agentId: string) => ports.naming.label(agentId) ?? "";
  /** The last known state of each agent's ledger. */
  const synced = new Map<string, string>();

  /** For a new key the hub starts new ledgers. */
  let published: Promise<void> = Promise.resolve();
  const ledgers = hubLedgers(request);

  const ledger = new GrantLedger({
    crypto: backupTools.crypto,
    identity,
    agent: (agentId) => agents.agent(agentId),
    verify: (agentId, entries) => e2ee.verifyLedger(agentId, entries),
    rest: {
      ...ledgers,
      async entries(relationId) {
        await published;
        return ledgers.entries(relationId);
      },
    },
    clock,
    changed: () => keys.refresh(),
    disagreed: (agentId) => {
      stop(agentId);
      notify("ledger_disagrees", agentId);
    },
    report,
  });
  const keys = new PersonKeys({
    crypto: backupTools.crypto,
    identity,
    book: e2ee,
    ledgerState: (agentId) => ledger.state(agentId),
    changed,
    lookNow: (agentId) => keyring.lookNow(agentId),
    accepted: (agentId) => events.emit("key_accepted", agentId),
  });
  const keyring = new AgentKeyring({
    e2ee,
    agents,
    request,
    clock,
    keys,
    settledFor: ports.settledFor,
    metAgain: (agentId) => notify("keys_fetched_again", agentId),
    report,
  });
  const keeping = new IdentityKeeping({
    identity,
    tools: backupTools,
    deliver: ports.deliverFile,
    clock,
    replace: async (next) => {
      await end.replaceIdentity(next);
      keys.restored();
      notices.add({ code: "identity_restored", params: {} });
    },
  });
  /** The members last reported to the person, by conversation: once, not at every message. */
  const leftOut = new Map<string, string>();
  const reports = new EnvelopeReports(ports);
  end.hear(heard);

  function heard(event: E2eeEvent): void {
    switch (event.kind) {
      case "key_changed":
        stop(event.owner_id);
        notify("key_changed", event.owner_id);
        keys.refresh();
        break;
      case "key_changed_back":
        notify("key_changed_back", event.owner_id);
        keys.refresh();
        events.emit("key_accepted", event.owner_id);
        break;
      case "session_renewed":
        events.emit("session_renewed", event.conversation_id, event.owner_id);
        break;
      case "ledger":
        ledger.compared(event.owner_id, event.comparison);
        break;
      case "left_out": {
        const { conversation_id, owner_ids } = event;
        const names = owner_ids
          .map((id) => ports.naming.label(id) ?? ports.memberName(conversation_id, id))
          .join(", ");
        if (leftOut.get(conversation_id) === names) break;
        leftOut.set(conversation_id, names);
        notices.about("members_left_out", conversation_id, { name: names });
        break;
      }
      case "missed":
        reports.fault(event.owner_id, "envelopes_missed");
        break;
      default:
        assertNever(event);
    }
  }

  /** Adds missing grants to the ledgers. */
  function syncLedgers(): void {
    for (const agent of agents.list()) {
      const granted = JSON.stringify([agent.reviewed_hash, ...grantedScopes(agent)]);
      if (synced.get(agent.agent_id) === granted) continue;
      synced.set(agent.agent_id, granted);
      void ledger.sync(agent.agent_id);
    }
  }
  events.on("changed", (names) => {
    if (names.includes("agents.changed")) syncLedgers();
    if (names.includes("keys.changed") || names.includes("agents.changed")) followCauses();
  });

  /** What was told of an agent goes with its cause, and with the agent. */
  function followCauses(): void {
    const peer = (agentId: string) => e2ee.peers().find((each) => each.owner_id === agentId);
    const isThere = (agentId: string): boolean => agents.agent(agentId) !== undefined;
    notices.keep("key_changed", (agentId) => (peer(agentId)?.changed_to ?? null) !== null);
    notices.keep("keys_fetched_again", (id) => isThere(id) && peer(id)?.verified !== true);
    notices.keep("ledger_disagrees", (id) => isThere(id) && ledger.state(id) !== "in_step");
    notices.keep("key_changed_back", isThere);
    notices.keep("envelope_refused", isThere);
  }

  return {
    keys,
    keyring,
    calls: {
      "keys.accept": ({ agent_id, digits }) => done(keys.accept(agent_id, digits)),
      "keys.verify": ({ agent_id, digits, verified }) =>
        done(keys.verify(agent_id, digits, verified)),
      "keys.backup": ({ password }) => keeping.backup(password),
      "keys.restore": ({ password, file }) => done(keeping.restore(password, file)),
    },
    async settledFor(agentId) {
      if (agents.agent(agentId) !== undefined) await ledger.checked(agentId);
    },
    connected() {
      synced.clear();
      published = keyring.replenish();
      keyring.reconcile();
      syncLedgers();
    },
    refused(agentId, code) {
      reports.fault(agentId, code);
      if (!UNREMARKABLE.includes(code)) {
        notices.about("envelope_refused", agentId, { name: nameOf(agentId) });
      }
    },
    close() {
      ledger.close();
      reports.close();
    },
  };
}

/** Events that resolve themselves, or are reported in another way. */
const UNREMARKABLE: readonly string[] = [
  "no_session",
  "unknown_prekey",
  "too_many_skipped",
  "key_changed",
  "replayed",
];
