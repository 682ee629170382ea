import type { GrantBook } from "../../../app/execution/ports.ts";

/** The same grants; the UI is told what the person's answers add to them. */
export function announcing(grants: GrantBook, changed: () => void): GrantBook {
  const told = async <T>(work: Promise<T>): Promise<T> => {
    const result = await work;
    changed();
    return result;
  };
  return {
    windows: (place) => grants.windows(place),
    rule: (agentId, toolName) => grants.rule(agentId, toolName),
    touchWindow: (key, now) => grants.touchWindow(key, now),
    openWindow: (window) => told(grants.openWindow(window)),
    addRule: (rule) => told(grants.addRule(rule)),
    addRoot: (agentId, chosen) => told(grants.addRoot(agentId, chosen)),
    addHost: (agentId, host) => told(grants.addHost(agentId, host)),
  };
}
