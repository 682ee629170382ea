import type { CallName } from "../../../app/bridge/calls.ts";
import { BridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { AgentCard, PairingView, ScopeView } from "../../../app/bridge/views.ts";
import { highestSensitivity } from "../../../app/contract/sensitivity.ts";
import type { Policy } from "../../../app/policy/policy-file.ts";
import type { FoundPolicy } from "../../policy/system-policy.ts";

/** What a page can do while the policy is broken: see that it is. */
const WITH_BROKEN_POLICY: readonly string[] = [
  "app.snapshot",
  "consent.list",
  "page.abilities",
  "page.attended",
] satisfies readonly CallName[];

/** The handlers, with what a policy leaves of them. */
export function underPolicy(
  handlers: CallHandlers,
  { policy, view }: FoundPolicy,
  /** The fingerprint of who asks to be added; null: not known. */
  fingerprintOf: (pairingId: string) => string | null,
): CallHandlers {
  if (view?.state === "broken") return nothingBut(handlers, WITH_BROKEN_POLICY);
  const refuseDenied = (scopes: readonly string[]): void => {
    if (scopes.some((scope) => policy.deniedScopes.includes(scope))) {
      throw new BridgeError("managed");
    }
  };
  const refuseOtherKeys = (pairingId: string): void => {
    const fingerprint = fingerprintOf(pairingId);
    const { allowedAgents } = policy;
    if (allowedAgents === null || allowedAgents.includes(fingerprint ?? "")) return;
    throw new BridgeError("managed");
  };
  return {
    ...handlers,
    async "pairing.answer"(args) {
      if (args.accept) {
        refuseDenied(args.granted_scopes);
        refuseOtherKeys(args.pairing_id);
      }
      return handlers["pairing.answer"](args);
    },
    async "agents.set_scopes"(args) {
      refuseDenied(args.granted_scopes);
      return handlers["agents.set_scopes"](args);
    },
    async "agents.add"(args) {
      refuseDenied(args.granted_scopes);
      return handlers["agents.add"](args);
    },
    async "agents.find"(args) {
      const found = await handlers["agents.find"](args);
      return { ...found, scopes: found.scopes.map((scope) => managedScope(policy, scope)) };
    },
  };
}

function nothingBut(handlers: CallHandlers, allowed: readonly string[]): CallHandlers {
  const refuse = () => {
    throw new BridgeError("managed");
  };
  const names = Object.keys(handlers) as CallName[];
  const refused = Object.fromEntries(
    names.filter((name) => !allowed.includes(name)).map((name) => [name, refuse]),
  );
  return { ...handlers, ...refused };
}

/** The scope as it counts under the policy. */
function managedScope(policy: Policy, scope: ScopeView): ScopeView {
  const { deniedScopes, sensitivities } = policy;
  const sensitivity = highestSensitivity(scope.sensitivity, sensitivities.get(scope.id));
  if (deniedScopes.includes(scope.id)) return { ...scope, sensitivity, managed: "denied" };
  return sensitivity === scope.sensitivity ? scope : { ...scope, sensitivity, managed: "raised" };
}

export const managedPairing = (policy: Policy, pairing: PairingView): PairingView => ({
  ...pairing,
  scopes: pairing.scopes.map((scope) => managedScope(policy, scope)),
});

/** What is denied was never given, as far as its calls go. */
export const managedCard = (policy: Policy, card: AgentCard): AgentCard => ({
  ...card,
  grants: card.grants.map((grant) => {
    const scope = managedScope(policy, grant.scope);
    return scope.managed === "denied"
      ? { ...grant, scope, state: "never_granted" }
      : { ...grant, scope };
  }),
});
