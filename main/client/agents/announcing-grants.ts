import type { GrantAccess } from "../../../app/execution/ports.ts";
import type { Store } from "../../storage/index.ts";

/** What is stored as granted; the UI is told what the person's answers add to it. */
export function announcing(
  { grants, agents }: Pick<Store, "grants" | "agents">,
  changed: () => void,
  counted: () => void,
): GrantAccess {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed();
    return result;
  };
  return {
    quietPeriods: (place) => grants.quietPeriods(place),
    rules: (agentId) => grants.rules(agentId),
    countUse: (ruleId, now) => {
      grants.countUse(ruleId, now);
      counted();
    },
    touchQuietPeriod: (key, now) => {
      grants.touchQuietPeriod(key, now);
      counted();
    },
    startQuietPeriod: (period) => told(grants.startQuietPeriod(period)),
    endQuietPeriod: (key) => told(grants.endQuietPeriod(key)),
    addRule: (rule) => told(grants.addRule(rule)),
    addRoot: (agentId, chosen) => told(agents.addRoot(agentId, chosen)),
    addHost: (agentId, host) => told(agents.addHost(agentId, host)),
  };
}
