import { randomBytes, randomUUID } from "node:crypto";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import { later } from "../../../runtime/crypto/node-primitives.ts";
import type { CallIntake, Channel, ChannelAgents } from "../../channels/channel.ts";
import { HubChannel, type HubChannelPorts, type HubEvents } from "../../channels/hub-channel.ts";
import { type ConversationRest, type HubRest, hubRestError } from "../../channels/hub-rest.ts";
import { Turns } from "../../turns/turns.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import { HUB, type HubAgentReader } from "../agents/known-agents.ts";
import type { KeyServices } from "../keys/key-services.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import type { PairingQueue } from "./pairing-queue.ts";
import type { AgentStates, Presence } from "./presence.ts";
import type { RelationSync } from "./relation-sync.ts";

export interface HubChannelParts {
  readonly parts: Pick<ProgramParts, "hub" | "time" | "sealing">;
  readonly intake: (channel: Pick<Channel, "name" | "agents">) => CallIntake;
  readonly agents: ChannelAgents;
  readonly known: HubAgentReader;
  readonly rest: Pick<ConversationRest, "conversation">;
  readonly presence: Presence;
  readonly pairings: PairingQueue;
  readonly sync: RelationSync;
  readonly keys: KeyServices;
  /** What of the line is about conversations. */
  readonly conversations: Pick<HubChannelPorts, "keep"> & {
    connected(isConnected: boolean): void;
  };
  readonly heard: Pick<HubEvents, "stream" | "typing" | "groupUpdated" | "messageRead">;
  readonly events: ProgramEvents;
}

export interface OpenedHubChannel extends Channel {
  readonly isConnected: boolean;
  readonly line: HubChannel;
}

/** The hub as a channel, which passes what the hub sends to the parts it concerns. */
export function openHubChannel(room: HubChannelParts): OpenedHubChannel {
  const { parts, agents, presence, pairings, sync, keys, conversations, heard, events } = room;
  const { hub, time } = parts;
  let isConnected = false;
  const agentsChanged = () => events.changed("agents.changed", "conversations.changed");

  const hubEvents: HubEvents = {
    connected(connected) {
      isConnected = connected;
      conversations.connected(connected);
      events.changed("hub.changed");
      presence.forget();
      pairings.forget();
      if (connected) {
        sync.reconcile();
        keys.connected();
      }
      agentsChanged();
    },
    presence(agentId, online) {
      presence.set(agentId, online);
      agentsChanged();
    },
    pairingRequested: (payload) => pairings.requested(payload),
    pairingClosed: (pairingId) => pairings.closed(pairingId),
    relation(frame) {
      sync.relation(frame);
      agentsChanged();
    },
    reauthRequired: (payload) => sync.reauthRequired(payload),
    manifestChanged: ({ agent_id, capability_manifest_version }) =>
      sync.manifestChanged(agent_id, capability_manifest_version),
    keysChanged: (ownerId) => keys.keyring.changed(ownerId),
    prekeysLow: () => void keys.keyring.replenish(),
    envelopeRefused: (agentId, code) => keys.refused(agentId, code),
    ...heard,
  };
  const turns = new Turns(later);
  const line = new HubChannel({
    open: () => hub.connectHuman(),
    accessToken: () => hub.issueAccessToken(),
    sealing: parts.sealing,
    turn: (senderId) => turns.next(senderId),
    keysKnown: (agentId) => keys.keyring.keysKnown(agentId),
    recipients: (conversationId) => recipientsIn(conversationId, room.known, room.rest, hub.userId),
    keep: (message) => conversations.keep(message),
    clock: {
      after: (ms, run) => time.scheduler.after(ms, run),
      now: () => time.monotonic.now(),
      random: () => randomBytes(4).readUInt32BE() / 2 ** 32,
    },
    newMessageId: () => randomUUID(),
    ...room.intake({ name: HUB, agents }),
    events: hubEvents,
  });
  events.on("key_accepted", (agentId) => line.release(agentId));
  events.on("session_renewed", (...session) => void line.signSession(...session));
  return {
    name: HUB,
    agents,
    line,
    get isConnected() {
      return isConnected;
    },
    open: () => line.open(),
    close() {
      line.close();
      conversations.connected(false);
    },
  };
}

/** Everybody else in a conversation: the relation's one agent, or a group's members by the hub. */
async function recipientsIn(
  conversationId: string,
  agents: HubAgentReader,
  rest: Pick<ConversationRest, "conversation">,
  ownId: string,
): Promise<readonly string[]> {
  const known = agents.list().find(({ relation }) => relation.conversation_id === conversationId);
  if (known !== undefined) return [known.agent_id];
  const { members } = await rest.conversation(conversationId);
  return members.map(({ member_id }) => member_id).filter((id) => id !== ownId);
}

interface HubAgentsParts {
  readonly agents: HubAgentReader;
  readonly sync: RelationSync;
  readonly keys: Pick<KeyServices, "settledFor" | "keys">;
  readonly presence: Presence;
  readonly statuses: AgentStates;
  readonly naming: Pick<AgentNaming, "key">;
  readonly rest: Pick<HubRest, "revokeRelation" | "setGrantedScopes" | "setSuspended">;
  readonly report: (error: unknown) => void;
}

/** The hub's agents as the chain and the person's actions see them. */
export function hubAgents(parts: HubAgentsParts): ChannelAgents {
  const { agents, sync, keys, presence, statuses, naming, rest, report } = parts;
  const relationOf = ({ agent_id }: KnownAgent) => agents.agent(agent_id)?.relation.relation_id;
  return {
    async ready(agentId) {
      await sync.settledFor(agentId);
      await keys.settledFor(agentId);
    },
    agent(agentId) {
      const known = agents.agent(agentId);
      if (known === undefined) return undefined;
      const isSuspended = statuses.of(agentId).relation === "suspended";
      const inDoubt = keys.keys.isInDoubt(agentId);
      const withheld = inDoubt ? "keys_in_doubt" : isSuspended ? "suspended" : null;
      return { ...known, key_mark: naming.key(agentId), withheld };
    },
    isGone: (agentId) => presence.isGone(agentId),
    isOnline: (agentId) => presence.isOnline(agentId),
    statusOf: (agentId) => statuses.of(agentId),
    isNewest: (agentId, version) => sync.isNewest(agentId, version),
    async tellGrants(agent, answered) {
      const relation = relationOf(agent);
      if (relation === undefined) return;
      await rest.setGrantedScopes(relation, grantedScopes(agent), answered).catch(report);
    },
    async tellSuspended(agent, suspended) {
      const relation = relationOf(agent);
      if (relation === undefined) return;
      await rest.setSuspended(relation, suspended).catch((error: unknown) => {
        report(error);
        if (!suspended) throw bridgeError("hub_unreachable");
      });
    },
    async release(agent) {
      const relation = relationOf(agent);
      if (relation === undefined) return;
      await rest.revokeRelation(relation).catch((error: unknown) => {
        const isGone = hubRestError.is(error) && error.code === "NOT_FOUND";
        if (!isGone) throw bridgeError("hub_unreachable");
      });
    },
    forget: (agentId) => statuses.forget(agentId),
  };
}
