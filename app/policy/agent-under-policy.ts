import type { Manifest } from "../contract/manifest.ts";
import { highestSensitivity } from "../contract/sensitivity.ts";
import type { ServedAgent } from "../execution/ports.ts";
import type { Policy } from "./policy-file.ts";

/** The agent as its calls see it under a policy: with less, never with more. */
export function agentUnderPolicy(policy: Policy, agent: ServedAgent): ServedAgent {
  const { deniedScopes, sensitivities } = policy;
  const manifest = sensitivities.size === 0 ? agent.manifest : raised(policy, agent.manifest);
  const grants =
    deniedScopes.length === 0
      ? agent.grants
      : new Map([...agent.grants].filter(([scope]) => !deniedScopes.includes(scope)));
  const withheld = isAllowed(policy, agent) ? agent.withheld : "not_allowed";
  return { ...agent, manifest, grants, withheld };
}

function isAllowed({ allowedAgents }: Policy, { key_mark }: ServedAgent): boolean {
  if (allowedAgents === null) return true;
  return key_mark.kind === "known" && allowedAgents.includes(key_mark.fingerprint);
}

const raised = ({ sensitivities }: Policy, manifest: Manifest): Manifest => ({
  ...manifest,
  permission_scopes: manifest.permission_scopes.map((scope) => ({
    ...scope,
    sensitivity: highestSensitivity(scope.sensitivity, sensitivities.get(scope.id)),
  })),
});
