import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { grantedScopes, type KnownAgent } from "../../../app/grants/grant.ts";
import type { ChannelAgents } from "../../channels/channel.ts";
import { type HubRest, HubRestError } from "../../channels/hub-rest.ts";
import type { AgentNaming } from "../agents/agent-naming.ts";
import type { HubAgentReader } from "../agents/known-agents.ts";
import type { KeyRoom } from "../keys/key-room.ts";
import type { Presence } from "./presence.ts";
import type { RelationKeeper } from "./relation-keeper.ts";
import type { Standings } from "./standings.ts";

export interface HubAgentsParts {
  readonly agents: HubAgentReader;
  readonly keeper: RelationKeeper;
  readonly keys: Pick<KeyRoom, "settledFor" | "keys">;
  readonly presence: Presence;
  readonly standings: Standings;
  readonly naming: Pick<AgentNaming, "key">;
  readonly rest: Pick<HubRest, "revokeRelation" | "setGrantedScopes" | "setSuspended">;
  readonly report: (error: unknown) => void;
}

/** The hub's agents as the chain and the person's actions see them. */
export function hubAgents(parts: HubAgentsParts): ChannelAgents {
  const { agents, keeper, keys, presence, standings, naming, rest, report } = parts;
  const relationOf = ({ agent_id }: KnownAgent) => agents.agent(agent_id)?.relation.relation_id;
  return {
    async ready(agentId) {
      await keeper.settledFor(agentId);
      await keys.settledFor(agentId);
    },
    agent(agentId) {
      const known = agents.agent(agentId);
      if (known === undefined) return undefined;
      const isSuspended = standings.of(agentId).relation === "suspended";
      const inDoubt = keys.keys.isInDoubt(agentId);
      const withheld = inDoubt ? "keys_in_doubt" : isSuspended ? "suspended" : null;
      return { ...known, key_mark: naming.key(agentId), withheld };
    },
    isGone: (agentId) => presence.isGone(agentId),
    isOnline: (agentId) => presence.isOnline(agentId),
    standing: (agentId) => standings.of(agentId),
    isNewest: (agentId, version) => keeper.isNewest(agentId, version),
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
        const isGone = error instanceof HubRestError && error.code === "NOT_FOUND";
        if (!isGone) throw bridgeError("hub_unreachable");
      });
    },
    forget: (agentId) => standings.forget(agentId),
  };
}
