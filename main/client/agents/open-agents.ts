import type {
  AgentDetails,
  AgentSigns,
  QuietPeriodView,
  RootView,
  RuleView,
} from "../../../app/bridge/agent-views.ts";
import type { ConsentRequest } from "../../../app/contract/consent-request.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import type { HookWay } from "../../../app/contract/hook-way.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { isRuleActive, type Rule } from "../../../app/contract/rule.ts";
import { isDecidedBy } from "../../../app/execution/decide-silently.ts";
import type { LiveCalls } from "../../../app/execution/live-calls.ts";
import type { KnownAgent, Root } from "../../../app/grants/grant.ts";
import {
  isQuietPeriodActive,
  type QuietPeriod,
  quietPeriodEndsAt,
} from "../../../app/grants/quiet-period.ts";
import { raised } from "../../../app/policy/agent-under-policy.ts";
import type { Channel, ChannelAgents } from "../../channels/channel.ts";
import { hookWayOf } from "../../channels/hooks/hook-ways.ts";
import type { FoundPolicy } from "../../policy/system-policy.ts";
import type { Store } from "../../storage/index.ts";
import type { ProgramEvents } from "../program-events.ts";
import { type AgentActionPorts, AgentActions } from "./agent-actions.ts";
import type { AgentNaming, Petnames } from "./agent-naming.ts";
import type { BreakingMarks } from "./breaking-marks.ts";
import type { IgnoredFolders } from "./ignored-folders.ts";
import { Permissions } from "./permissions.ts";
import { Rules } from "./rules.ts";
import { grantViews } from "./scope-view.ts";
import type { Suspensions } from "./suspensions.ts";
import type { TestPorts } from "./test-call.ts";

export interface AgentsServices {
  readonly permissions: Permissions;
  readonly actions: AgentActions;
  readonly rules: Rules;
  cards(): readonly AgentDetails[];
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
export function openAgents(room: AgentsParts): AgentsServices {
  const { store, channels, portsOf, reconsider, events, policy } = room;
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
    settings: store.settings,
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
      made: (agentId) => reconsider((request) => isDecidedBy(grants.rules(agentId), request)),
      changed: () => events.changed("agents.changed"),
    }),
    cards: () =>
      agentDetails({
        ...room,
        agents,
        grants,
        clock,
        channelOf,
        hookWay: (agentId) => hookWayOf(store.settings, agentId),
      }),
  };
}

/** A channel that this program was not started with: no calls of its agents arrive. */
const ABSENT: ChannelAgents = {
  ready: async () => {},
  agent: () => undefined,
  isGone: () => true,
  isOnline: () => false,
  statusOf: () => ({ relation: "revoked", delivery: "websocket" }),
  isNewest: () => true,
  tellGrants: async () => {},
  tellSuspended: async () => {},
  release: async () => {},
  forget: () => {},
};

interface CardSources {
  readonly agents: { list(): readonly KnownAgent[] };
  readonly grants: {
    quietPeriodsOf(agentId: string): readonly QuietPeriod[];
    rules(agentId: string): readonly Rule[];
  };
  readonly clock: { now(): number };
  channelOf(agent: KnownAgent): Pick<ChannelAgents, "isOnline" | "statusOf">;
  readonly suspensions: Pick<Suspensions, "statusOf">;
  readonly tried: { of(agent: KnownAgent): readonly string[] };
  hookWay(agentId: string): HookWay;
  readonly naming: Pick<AgentNaming, "petname" | "signs">;
  readonly breaking: Pick<BreakingMarks, "of">;
}

/** Everything the person can see and revoke, by agent. */
function agentDetails(sources: CardSources): readonly AgentDetails[] {
  const signs = sources.naming.signs();
  return sources.agents.list().map((agent) => cardOf(agent, signs(agent.agent_id), sources));
}

function cardOf(agent: KnownAgent, signs: AgentSigns, sources: CardSources): AgentDetails {
  const { grants, clock, naming, suspensions } = sources;
  const channel = sources.channelOf(agent);
  const now = clock.now();
  const status = suspensions.statusOf(agent.agent_id, channel.statusOf(agent.agent_id));
  return {
    agent_id: agent.agent_id,
    name: agent.name,
    petname: naming.petname(agent.agent_id),
    ...signs,
    conversation_id: agent.relation?.conversation_id ?? null,
    online: channel.isOnline(agent.agent_id),
    ...status,
    hook_way: status.delivery === "hook" ? sources.hookWay(agent.agent_id) : null,
    agent_version: agent.manifest.agent_version,
    manifest_version: agent.manifest_version,
    manifest_bytes: bytesOf(agent.manifest),
    changed_since_review: agent.manifest_hash !== agent.reviewed_hash,
    grants: grantViews(agent, sources.breaking.of(agent.agent_id)),
    roots: agent.roots.map(rootView),
    tried_folders: sources.tried.of(agent),
    hosts: agent.hosts.map(({ host, port, added_at }) => ({ host, port, added_at })),
    // A quiet period that is over is not listed.
    quiet_periods: grants
      .quietPeriodsOf(agent.agent_id)
      .filter((period) => isQuietPeriodActive(period, agent.manifest_hash, now))
      .map(quietPeriodView),
    rules: grants
      .rules(agent.agent_id)
      .filter((rule) => isRuleActive(rule, agent.manifest_hash, now))
      .map(ruleView),
  };
}

const measured = new WeakMap<Manifest, number>();

/** Cards are drawn often, and a stored manifest never changes. */
function bytesOf(manifest: Manifest): number {
  // A checked manifest is a JSON value; its type merely names some of the members.
  const json = () => canonicalJson(manifest as unknown as JsonValue);
  const bytes = measured.get(manifest) ?? Buffer.byteLength(json());
  measured.set(manifest, bytes);
  return bytes;
}

const rootView = ({ root_id, path, access, only_file, ends_at, for_task }: Root): RootView => ({
  root_id,
  path,
  access,
  only_file: only_file ?? false,
  ends_at: ends_at ?? null,
  for_task: for_task ?? false,
});

const quietPeriodView = (period: QuietPeriod): QuietPeriodView => {
  const { manifest_hash: _, last_used_at: __, ...shown } = period;
  return { ...shown, ends_at: quietPeriodEndsAt(period) };
};

const ruleView = ({ manifest_hash: _, ...rule }: Rule): RuleView => rule;
