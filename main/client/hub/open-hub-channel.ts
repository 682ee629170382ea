import { randomBytes, randomUUID } from "node:crypto";
import { later } from "../../../runtime/files/later.ts";
import type { CallIntake, Channel, ChannelAgents } from "../../channels/channel.ts";
import { HubChannel, type HubChannelPorts, type HubEvents } from "../../channels/hub-channel.ts";
import type { ConversationRest } from "../../channels/hub-rest.ts";
import { Turns } from "../../turns/turns.ts";
import { HUB, type HubAgentReader } from "../agents/known-agents.ts";
import type { KeyRoom } from "../keys/key-room.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import type { PairingDesk } from "./pairing-desk.ts";
import type { Presence } from "./presence.ts";
import { recipientsIn } from "./recipients.ts";
import type { RelationKeeper } from "./relation-keeper.ts";

export interface HubChannelRoom {
  readonly parts: Pick<ProgramParts, "hub" | "time" | "sealing">;
  readonly intake: (channel: Pick<Channel, "name" | "agents">) => CallIntake;
  readonly agents: ChannelAgents;
  readonly known: HubAgentReader;
  readonly rest: Pick<ConversationRest, "conversation">;
  readonly presence: Presence;
  readonly pairings: PairingDesk;
  readonly keeper: RelationKeeper;
  readonly keys: KeyRoom;
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
export function openHubChannel(room: HubChannelRoom): OpenedHubChannel {
  const { parts, agents, presence, pairings, keeper, keys, conversations, heard, events } = room;
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
        keeper.reconcile();
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
      keeper.relation(frame);
      agentsChanged();
    },
    reauthRequired: (payload) => keeper.reauthRequired(payload),
    manifestChanged: ({ agent_id, capability_manifest_version }) =>
      keeper.manifestChanged(agent_id, capability_manifest_version),
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
    acquainted: (agentId) => keys.keyring.acquainted(agentId),
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
