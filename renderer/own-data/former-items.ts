import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { CallArgs, CallName } from "../../app/bridge/calls.ts";
import type { FormerAgent } from "../../app/contract/own-data.ts";
import { isLimited } from "../parts/policy-limits.tsx";

/** One thing that an agent had, or was, which another can be given. */
export type FormerItem =
  | { readonly kind: "suspension" }
  | { readonly kind: "petname"; readonly petname: string }
  | { readonly kind: "scope"; readonly scope: AgentDetails["grants"][number]["scope"] }
  | ({ readonly kind: "root" } & FormerAgent["roots"][number])
  | ({ readonly kind: "host" } & FormerAgent["hosts"][number])
  | { readonly kind: "rule"; readonly rule: FormerAgent["rules"][number] };

/** What of it this agent does not have, as far as it can have it. */
export function formerItems(former: FormerAgent, agent: AgentDetails): readonly FormerItem[] {
  const scopes = agent.grants.filter(
    ({ scope, state }) =>
      !agent.not_allowed &&
      state !== "granted" &&
      scope.managed !== "denied" &&
      former.scopes.includes(scope.id),
  );
  const { petname, suspended } = former;
  const limits = [
    ...former.roots.map((root) => ({ kind: "root" as const, ...root })),
    ...former.hosts.map((host) => ({ kind: "host" as const, ...host })),
  ];
  return [
    ...(suspended === true && agent.relation !== "suspended"
      ? [{ kind: "suspension" as const }]
      : []),
    ...(petname !== null && petname !== agent.petname
      ? [{ kind: "petname" as const, petname }]
      : []),
    ...scopes.map(({ scope }) => ({ kind: "scope" as const, scope })),
    ...(isLimited(agent) ? limits : []),
    ...former.rules.map((rule) => ({ kind: "rule" as const, rule })),
  ];
}

/** High scopes are never ticked for the person (contract §7). */
export const isTickedAtFirst = (item: FormerItem): boolean =>
  item.kind !== "scope" || item.scope.sensitivity !== "high";

type Step = { [C in CallName]: readonly [name: C, args: CallArgs<C>] }[
  | "agents.suspend"
  | "agents.rename"
  | "agents.set_scopes"
  | "permissions.add_root"
  | "permissions.add_host"
  | "rules.import"];

/** The calls that give these, each as if made by hand. None comes before a suspension that is to hold for it. */
export function givingCalls(agent: AgentDetails, chosen: readonly FormerItem[]): readonly Step[] {
  const { agent_id, manifest_version } = agent;
  const scopes = chosen.flatMap((item) => (item.kind === "scope" ? [item.scope.id] : []));
  const rules = chosen.flatMap((item) => (item.kind === "rule" ? [item.rule] : []));
  const held = agent.grants.flatMap(({ scope, state }) => (state === "granted" ? [scope.id] : []));
  const granted_scopes = [...held, ...scopes];
  const text = JSON.stringify({ format: "consentry-rules", version: 1, rules });
  return [
    ...chosen.flatMap((item): readonly Step[] => {
      if (item.kind === "suspension") return [["agents.suspend", { agent_id, suspended: true }]];
      if (item.kind !== "petname") return [];
      return [["agents.rename", { agent_id, petname: item.petname }]];
    }),
    ...(scopes.length === 0
      ? []
      : [["agents.set_scopes", { agent_id, manifest_version, granted_scopes }] as const]),
    ...chosen.flatMap((item): readonly Step[] => {
      if (item.kind === "root") {
        const { path, access } = item;
        return [["permissions.add_root", { agent_id, path, access }]];
      }
      if (item.kind !== "host") return [];
      const host = item.host.includes(":") ? `[${item.host}]` : item.host;
      return [["permissions.add_host", { agent_id, host: `${host}:${item.port}` }]];
    }),
    ...(rules.length === 0 ? [] : [["rules.import", { agent_id, text }] as const]),
  ];
}
