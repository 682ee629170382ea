import type { AgentCard } from "../../../app/bridge/views.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import type { Channel, ChannelAgents } from "../../channels/channel.ts";
import type { CallsRoom } from "../calls/open-calls.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { ProgramEvents } from "../program-events.ts";
import type { ProgramParts } from "../program-parts.ts";
import { AgentActions } from "./agent-actions.ts";
import { agentCards } from "./agent-cards.ts";
import { Permissions } from "./permissions.ts";

export interface AgentsRoom {
  readonly permissions: Permissions;
  readonly actions: AgentActions;
  cards(): readonly AgentCard[];
}

interface AgentsParts {
  readonly parts: Pick<ProgramParts, "store" | "naming" | "petnames">;
  readonly channels: readonly Channel[];
  readonly calls: CallsRoom;
  readonly conversations: Conversations;
  readonly events: ProgramEvents;
}

/** What the person sees of their agents, gives them and takes back. */
export function openAgents(room: AgentsParts): AgentsRoom {
  const { parts, channels, calls, conversations, events } = room;
  const { store, naming, petnames } = parts;
  const { agents, grants, clock } = store;
  const channelOf = ({ channel }: KnownAgent): ChannelAgents =>
    channels.find(({ name }) => name === channel)?.agents ?? ABSENT;
  const permissions = new Permissions({
    agents,
    grants,
    channelOf,
    live: calls.live,
    changed: () => events.changed("agents.changed"),
  });
  const actions = new AgentActions({
    agents,
    permissions,
    petnames,
    channelOf,
    conversations,
    recalled: calls.recalled,
    changed: () =>
      events.changed(
        "agents.changed",
        "consents.changed",
        "conversations.changed",
        "pairings.changed",
      ),
  });
  return {
    permissions,
    actions,
    cards: () => agentCards({ agents, grants, clock, channelOf, naming }),
  };
}

/** Of a channel that this program was not started with: no call of its agents arrives. */
const ABSENT: ChannelAgents = {
  ready: async () => {},
  agent: () => undefined,
  isGone: () => true,
  isOnline: () => false,
  standing: () => ({ relation: "revoked", delivery: "websocket" }),
  isNewest: () => true,
  tellGrants: async () => {},
  release: async () => {},
  forget: () => {},
};
