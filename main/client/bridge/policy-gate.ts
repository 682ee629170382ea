import type { AgentDetails, PairingView, ScopeView } from "../../../app/bridge/agent-views.ts";
import type { CallName } from "../../../app/bridge/calls.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import type { CallHandlers } from "../../../app/bridge/register-calls.ts";
import type { KeyMark } from "../../../app/contract/key-mark.ts";
import { highestSensitivity } from "../../../app/contract/scopes.ts";
import { isAllowed } from "../../../app/policy/agent-under-policy.ts";
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
  /** The key of who asks to be added. */
  keyOf: (pairingId: string) => KeyMark,
): CallHandlers {
  if (view?.state === "broken") return nothingBut(handlers, WITH_BROKEN_POLICY);
  const refuseDenied = (scopes: readonly string[]): void => {
    if (scopes.some((scope) => policy.deniedScopes.includes(scope))) {
      throw bridgeError("managed");
    }
  };
  const refuseOtherKeys = (pairingId: string): void => {
    if (!isAllowed(policy, keyOf(pairingId))) throw bridgeError("managed");
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
    async "hub.move"(args) {
      if (policy.hubPort !== null) throw bridgeError("managed");
      return handlers["hub.move"](args);
    },
    async "agents.find"(args) {
      const found = await handlers["agents.find"](args);
      return { ...found, scopes: found.scopes.map((scope) => managedScope(policy, scope)) };
    },
  };
}

function nothingBut(handlers: CallHandlers, allowed: readonly string[]): CallHandlers {
  const refuse = () => {
    throw bridgeError("managed");
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

/** Nothing if it has one of the keys that may ask. */
const notAllowed = (policy: Policy, key: KeyMark) =>
  isAllowed(policy, key) ? {} : { not_allowed: true as const };

export const managedPairing = (
  policy: Policy,
  pairing: PairingView,
  key: KeyMark,
): PairingView => ({
  ...pairing,
  ...notAllowed(policy, key),
  scopes: pairing.scopes.map((scope) => managedScope(policy, scope)),
});

/** What is denied was never given, as far as its calls go; nor was anything to an agent that is not allowed. */
export function managedCard(policy: Policy, card: AgentDetails): AgentDetails {
  const managed = notAllowed(policy, card.key_mark);
  const grants = card.grants.map((grant): AgentDetails["grants"][number] => {
    const scope = managedScope(policy, grant.scope);
    return managed.not_allowed || scope.managed === "denied"
      ? { ...grant, scope, state: "never_granted" }
      : { ...grant, scope };
  });
  return { ...card, ...managed, grants };
}
