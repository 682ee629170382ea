import type { LocalDelivery } from "../../../app/bridge/pairing-views.ts";
import type { ChannelAgents, ChannelHost } from "../channel.ts";
import type { AgentPresence } from "./agent-presence.ts";

type Own = Pick<ChannelAgents, "tellGrants" | "tellSuspended" | "forget">;

interface LocalAgentsParts extends Own {
  readonly host: ChannelHost;
  /** The channel's name, stored with each of its agents. */
  readonly channel: string;
  readonly delivery: LocalDelivery;
  readonly presence: AgentPresence;
}

/** Programs on this computer: they have no key, no relation at the hub, and nothing withheld. */
export const localAgents = ({
  host,
  channel,
  delivery,
  presence,
  ...own
}: LocalAgentsParts): ChannelAgents => ({
  ...own,
  ready: async () => {},
  agent(agentId) {
    const known = host.agents.agent(agentId);
    return known?.channel === channel
      ? { ...known, key_mark: { kind: "none" }, withheld: null }
      : undefined;
  },
  isGone: (agentId) => presence.isGone(agentId),
  isOnline: (agentId) => presence.isOnline(agentId),
  standing: () => ({ relation: "active", delivery }),
  isNewest: () => true,
  release: async () => {},
  forget(agentId) {
    own.forget(agentId);
    presence.forget(agentId);
  },
});
