import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { Notice } from "../../../app/bridge/views.ts";
import { assertNever } from "../../../app/contract/assert-never.ts";
import type { CorrespondenceEvent } from "../../../app/encryption/correspondence/ports.ts";
import type { Scheduler } from "../../../app/execution/ports.ts";
import type { Grant, KnownAgent } from "../../../app/grants/grant.ts";
import { ENCRYPTED } from "../../../app/protocol/v1/encrypted.ts";
import type { MessageSealing } from "../../../app/protocol/v1/message-sealing.ts";
import { hubLedgers } from "../../channels/hub-keys.ts";
import type { HubRequest } from "../../channels/hub-rest.ts";
import { plainSealing } from "../../channels/plain-sealing.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { grantedScopes } from "../agents/tell-grants.ts";
import type { DeliverFile } from "../launch/host-port.ts";
import { AgentKeyring } from "./agent-keyring.ts";
import { EnvelopeReports } from "./envelope-reports.ts";
import { GrantLedger } from "./grant-ledger.ts";
import { IdentityKeeping } from "./identity-keeping.ts";
import type { PersonEnd } from "./person-end.ts";
import { PersonKeys } from "./person-keys.ts";

export interface KeyRoomPorts {
  readonly end: PersonEnd;
  readonly agents: {
    list(): readonly KnownAgent[];
    agent(agentId: string): KnownAgent | undefined;
  };
  readonly naming: Pick<AgentNaming, "label">;
  /** What a member of a conversation goes by. */
  readonly memberName: (conversationId: string, memberId: string) => string;
  readonly request: HubRequest;
  readonly clock: { now(): number };
  readonly scheduler: Scheduler;
  readonly deliverFile: DeliverFile;
  readonly changed: () => void;
  /** Resolves when nothing is under way that could make this agent known. */
  readonly settledFor: (agentId: string) => Promise<unknown>;
  readonly notify: (notice: Notice) => void;
  /** What was told is not so any more. */
  readonly withdraw: (code: Notice["code"]) => void;
  /** What waits or runs for this agent is ended: its key or its ledger is not to be trusted. */
  readonly stop: (agentId: string) => void;
  /** The key counts, accepted or known before: what was held back may come. */
  readonly accepted: (agentId: string) => void;
  /** A sign of life goes out in a session that was begun anew. */
  readonly renewed: (conversationId: string, agentId: string) => void;
  readonly report: (error: unknown) => void;
}

type KeyCalls = Pick<CallHandlers, "keys.accept" | "keys.verify" | "keys.backup" | "keys.restore">;

export interface KeyRoom {
  readonly keys: PersonKeys;
  readonly keyring: AgentKeyring;
  readonly calls: KeyCalls;
  readonly sealing: MessageSealing;
  /** The agent as calls are judged by: while its key or ledger is doubtful, nothing is granted. */
  served(known: KnownAgent | undefined): KnownAgent | undefined;
  /** Resolves when the agent's ledger was looked at. */
  settledFor(agentId: string): Promise<void>;
  /** What is granted may be another: the ledgers that lack it get it. */
  grantsChanged(): void;
  /** The line to the hub stands: all is looked at anew. */
  connected(): void;
  /** Of or for this agent, an envelope was refused. */
  refused(agentId: string, code: string): void;
  /** Tells what is left to tell. */
  close(): void;
}

/** The keys, the ledgers and the identity's backups, wired to each other. */
export function keyRoom(ports: KeyRoomPorts): KeyRoom {
  const { end, agents, request, clock, changed, notify, stop, report } = ports;
  const { identity, correspondence, backupTools } = end;
  const nameOf = (agentId: string) => ports.naming.label(agentId) ?? "";
  /** What each agent's ledger was last brought to. */
  const synced = new Map<string, string>();

  /** With another key than before the hub begins other ledgers. */
  let published: Promise<void> = Promise.resolve();
  const ledgers = hubLedgers(request);

  const ledger = new GrantLedger({
    crypto: backupTools.crypto,
    identity,
    agent: (agentId) => agents.agent(agentId),
    verify: (agentId, entries) => correspondence.verifyLedger(agentId, entries),
    rest: {
      ...ledgers,
      async entries(relationId) {
        await published;
        return ledgers.entries(relationId);
      },
    },
    clock,
    changed: () => void keys.refresh(),
    disagreed: (agentId) => {
      stop(agentId);
      notify({ code: "ledger_disagrees", params: { name: nameOf(agentId) } });
    },
    report,
  });
  const keys = new PersonKeys({
    crypto: backupTools.crypto,
    identity,
    book: correspondence,
    ledgerState: (agentId) => (ENCRYPTED ? ledger.state(agentId) : "in_step"),
    changed,
    lookNow: (agentId) => keyring.lookNow(agentId),
    accepted: ports.accepted,
  });
  const keyring = new AgentKeyring({
    correspondence,
    agents,
    request,
    clock,
    keys,
    settledFor: ports.settledFor,
    metAnew: (agentId) => notify({ code: "keys_met_anew", params: { name: nameOf(agentId) } }),
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
      notify({ code: "identity_restored", params: {} });
    },
  });
  /** Whom the person was last told of, by conversation: once, not at every message. */
  const leftOut = new Map<string, string>();
  const reports = new EnvelopeReports(ports);
  end.hear(heard);

  function heard(event: CorrespondenceEvent): void {
    switch (event.kind) {
      case "key_changed":
        stop(event.owner_id);
        notify({ code: "key_changed", params: { name: nameOf(event.owner_id) } });
        void keys.refresh();
        break;
      case "key_changed_back":
        if (!correspondence.peers().some(({ changed_to }) => changed_to !== null)) {
          ports.withdraw("key_changed");
        }
        notify({ code: "key_changed_back", params: { name: nameOf(event.owner_id) } });
        void keys.refresh();
        ports.accepted(event.owner_id);
        break;
      case "session_renewed":
        ports.renewed(event.conversation_id, event.owner_id);
        break;
      case "ledger":
        // `ahead`: the agent will hear of it. Anything else was never signed here.
        if (event.comparison !== "ahead") void ledger.sync(event.owner_id);
        break;
      case "left_out": {
        const { conversation_id, owner_ids } = event;
        const names = owner_ids
          .map((id) => ports.naming.label(id) ?? ports.memberName(conversation_id, id))
          .join(", ");
        if (leftOut.get(conversation_id) === names) break;
        leftOut.set(conversation_id, names);
        notify({ code: "members_left_out", params: { name: names } });
        break;
      }
      case "missed":
        reports.fault(event.owner_id, "envelopes_missed");
        break;
      default:
        assertNever(event);
    }
  }

  return {
    keys,
    keyring,
    sealing: ENCRYPTED ? correspondence : plainSealing,
    calls: {
      "keys.accept": ({ agent_id, digits }) => done(keys.accept(agent_id, digits)),
      "keys.verify": ({ agent_id, digits, verified }) =>
        done(keys.verify(agent_id, digits, verified)),
      "keys.backup": ({ password }) => keeping.backup(password),
      "keys.restore": ({ password, file }) => done(keeping.restore(password, file)),
    },
    served: (known) =>
      known !== undefined && keys.holds(known.agent_id) ? withoutGrants(known) : known,
    async settledFor(agentId) {
      if (ENCRYPTED && agents.agent(agentId) !== undefined) await ledger.checked(agentId);
    },
    grantsChanged() {
      if (!ENCRYPTED) return;
      for (const agent of agents.list()) {
        const standing = JSON.stringify([agent.reviewed_hash, ...grantedScopes(agent)]);
        if (synced.get(agent.agent_id) === standing) continue;
        synced.set(agent.agent_id, standing);
        void ledger.sync(agent.agent_id);
      }
    },
    connected() {
      synced.clear();
      published = keyring.replenish();
      keyring.reconcile();
      this.grantsChanged();
    },
    refused(agentId, code) {
      reports.fault(agentId, code);
      if (!UNREMARKABLE.includes(code)) {
        notify({ code: "envelope_refused", params: { name: nameOf(agentId), code } });
      }
    },
    close() {
      ledger.close();
      reports.close();
    },
  };
}

/** What happens by itself and mends itself, or is told of in another way. */
const UNREMARKABLE: readonly string[] = [
  "no_session",
  "unknown_prekey",
  "too_many_skipped",
  "key_changed",
  "replayed",
];

const done = async (work: Promise<unknown>): Promise<null> => {
  await work;
  return null;
};

/** As while a re-consent is awaited: `scope_not_granted`. */
function withoutGrants(known: KnownAgent): KnownAgent {
  const grants = [...known.grants].map(([scope, grant]): [string, Grant] => [
    scope,
    { ...grant, state: "awaiting_reconsent" },
  ]);
  return { ...known, grants: new Map(grants) };
}
