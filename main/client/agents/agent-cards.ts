import type { AgentSigns } from "../../../app/bridge/agent-names.ts";
import type { AgentCard, QuietPeriodView, RootView, RuleView } from "../../../app/bridge/views.ts";
import { canonicalJson } from "../../../app/contract/digest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import type { Manifest } from "../../../app/contract/manifest.ts";
import { isRuleActive, type Rule } from "../../../app/contract/rule.ts";
import type { KnownAgent, Root } from "../../../app/grants/grant.ts";
import {
  isQuietPeriodActive,
  type QuietPeriod,
  quietPeriodEndsAt,
} from "../../../app/grants/quiet-period.ts";
import type { ChannelAgents } from "../../channels/channel.ts";
import type { AgentNaming } from "./agent-naming.ts";
import { grantViews } from "./scope-view.ts";
import type { Suspensions } from "./suspensions.ts";

export interface CardSources {
  readonly agents: { list(): readonly KnownAgent[] };
  readonly grants: {
    quietPeriodsOf(agentId: string): readonly QuietPeriod[];
    rules(agentId: string): readonly Rule[];
  };
  readonly clock: { now(): number };
  channelOf(agent: KnownAgent): Pick<ChannelAgents, "isOnline" | "standing">;
  readonly suspensions: Pick<Suspensions, "standing">;
  readonly tried: { of(agent: KnownAgent): readonly string[] };
  readonly naming: Pick<AgentNaming, "petname" | "signs">;
}

/** Everything the person can see and revoke, by agent. */
export function agentCards(sources: CardSources): readonly AgentCard[] {
  const signs = sources.naming.signs();
  return sources.agents.list().map((agent) => cardOf(agent, signs(agent.agent_id), sources));
}

function cardOf(agent: KnownAgent, signs: AgentSigns, sources: CardSources): AgentCard {
  const { grants, clock, naming, suspensions } = sources;
  const channel = sources.channelOf(agent);
  const now = clock.now();
  return {
    agent_id: agent.agent_id,
    name: agent.name,
    petname: naming.petname(agent.agent_id),
    ...signs,
    conversation_id: agent.relation?.conversation_id ?? null,
    online: channel.isOnline(agent.agent_id),
    ...suspensions.standing(agent.agent_id, channel.standing(agent.agent_id)),
    agent_version: agent.manifest.agent_version,
    manifest_version: agent.manifest_version,
    manifest_bytes: bytesOf(agent.manifest),
    changed_since_review: agent.manifest_hash !== agent.reviewed_hash,
    grants: grantViews(agent),
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

const quietPeriodView = (period: QuietPeriod): QuietPeriodView => ({
  agent_id: period.agent_id,
  conversation_id: period.conversation_id,
  scope: period.scope,
  subject: period.subject,
  opened_at: period.opened_at,
  ends_at: quietPeriodEndsAt(period),
  made_on: period.made_on,
});

const ruleView = ({ manifest_hash: _, ...rule }: Rule): RuleView => rule;
