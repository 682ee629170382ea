import type { AgentCard } from "../../../app/bridge/views.ts";
import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import { isDecidedByOne } from "../../../app/execution/decided-by-rule.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { raised } from "../../../app/policy/agent-under-policy.ts";
import type { Channel, ChannelAgents } from "../../channels/channel.ts";
import type { FoundPolicy } from "../../policy/system-policy.ts";
import type { Store } from "../../storage/index.ts";
import type { ProgramEvents } from "../program-events.ts";
import { type AgentActionPorts, AgentActions } from "./agent-actions.ts";
import { agentCards, type CardSources } from "./agent-cards.ts";
import type { AgentNaming } from "./agent-naming.ts";
import type { BreakingMarks } from "./breaking-marks.ts";
import type { IgnoredFolders } from "./ignored-folders.ts";
import { Permissions } from "./permissions.ts";
import type { Petnames } from "./petnames.ts";
import { Rules } from "./rules.ts";
import type { Suspensions } from "./suspensions.ts";
import type { TestPorts } from "./test-call.ts";

export interface AgentsRoom {
  readonly permissions: Permissions;
  readonly actions: AgentActions;
  readonly rules: Rules;
  cards(): readonly AgentCard[];
}

interface AgentsParts {
  readonly store: Pick<Store, "agents" | "grants" | "clock" | "settings">;
  readonly naming: AgentNaming;
  readonly petnames: Petnames;
  readonly suspensions: Suspensions;
  readonly breaking: BreakingMarks;
  readonly channels: readonly Channel[];
  /** What one channel's calls are decided with. */
  readonly portsOf: (channel: Pick<Channel, "name" | "agents" | "toolsFrom">) => TestPorts;
  readonly live: Pick<LiveCalls, "end">;
  /** Sends waiting requests back for a new decision. */
  readonly reconsider: (covered: (request: ConsentRequest) => boolean) => void;
  readonly recalled: AgentActionPorts["recalled"];
  readonly ignored: IgnoredFolders;
  readonly tried: AgentActionPorts["tried"] & CardSources["tried"];
  readonly conversations: AgentActionPorts["conversations"];
  readonly events: ProgramEvents;
  readonly policy: Pick<FoundPolicy, "policy">;
}

/** What the person sees of their agents, grants and revokes. */
export function openAgents(room: AgentsParts): AgentsRoom {
  const { store, channels, portsOf, suspensions, naming, tried, reconsider, events, policy } = room;
  const { agents, grants, clock } = store;
  const channelOf = ({ channel }: KnownAgent): ChannelAgents =>
    channels.find(({ name }) => name === channel)?.agents ?? ABSENT;
  const permissions = new Permissions({
    ...room,
    agents,
    grants,
    channelOf,
    changed: () => events.changed("agents.changed"),
  });
  const actions = new AgentActions({
    ...room,
    agents,
    permissions,
    channelOf,
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
    rules: new Rules({
      agents: {
        agent: (agentId) => {
          const known = agents.agent(agentId);
          return known && raised(policy.policy, known);
        },
      },
      grants,
      clock,
      portsOf: ({ channel }) =>
        portsOf(channels.find(({ name }) => name === channel) ?? { name: channel, agents: ABSENT }),
      made: (agentId) => reconsider((request) => isDecidedByOne(grants.rules(agentId), request)),
      changed: () => events.changed("agents.changed"),
    }),
    cards: () => agentCards({ agents, grants, clock, channelOf, suspensions, naming, tried }),
  };
}

/** A channel that this program was not started with: no calls of its agents arrive. */
const ABSENT: ChannelAgents = {
  ready: async () => {},
  agent: () => undefined,
  isGone: () => true,
  isOnline: () => false,
  standing: () => ({ relation: "revoked", delivery: "websocket" }),
  isNewest: () => true,
  tellGrants: async () => {},
  tellSuspended: async () => {},
  release: async () => {},
  forget: () => {},
};
