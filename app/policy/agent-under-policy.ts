import type { KeyMark } from "../contract/key-mark.ts";
import { highestSensitivity } from "../contract/scopes.ts";
import type { ServedAgent } from "../execution/ports.ts";
import type { Policy } from "./policy-file.ts";

/** The agent as its calls see it under a policy: with less, never with more. */
export function agentUnderPolicy(policy: Policy, agent: ServedAgent): ServedAgent {
  const isOther = !isAllowed(policy, agent.key_mark);
  const isDenied = (scope: string) => isOther || policy.deniedScopes.includes(scope);
  return { ...raised(policy, agent), isDenied };
}

/** Whether an agent with this key may ask. */
export function isAllowed({ allowedAgents }: Policy, key: KeyMark): boolean {
  if (allowedAgents === null) return true;
  return key.kind === "known" && allowedAgents.includes(key.fingerprint);
}

/** With every permission at least as sensitive as the policy says. */
export function raised<Agent extends Pick<ServedAgent, "manifest">>(
  { sensitivities }: Policy,
  agent: Agent,
): Agent & Pick<ServedAgent, "leastByPolicy"> {
  if (sensitivities.size === 0) return agent;
  const permission_scopes = agent.manifest.permission_scopes.map((scope) => ({
    ...scope,
    sensitivity: highestSensitivity(scope.sensitivity, sensitivities.get(scope.id)),
  }));
  const leastByPolicy = (scope: string) => sensitivities.get(scope);
  return { ...agent, manifest: { ...agent.manifest, permission_scopes }, leastByPolicy };
}
