/** contract §3, in rising order. */
export const SENSITIVITIES = ["low", "medium", "high"] as const;
export type Sensitivity = (typeof SENSITIVITIES)[number];

export const isSensitivity = (value: unknown): value is Sensitivity =>
  SENSITIVITIES.some((level) => level === value);

/** The highest of the given levels; absent ones do not count. `low` when none is given. */
export function highestSensitivity(...levels: readonly (Sensitivity | undefined)[]): Sensitivity {
  const rank = levels.map((level) => (level === undefined ? 0 : SENSITIVITIES.indexOf(level)));
  return SENSITIVITIES[Math.max(0, ...rank)] ?? "high";
}

/** The four preset scopes of the manifest specification and their sensitivities. */
export const PRESET_SCOPES: ReadonlyMap<string, Sensitivity> = new Map([
  ["notification:send", "low"],
  ["filesystem:read", "medium"],
  ["clipboard:read", "medium"],
  ["location:read", "high"],
]);

/**
 * The scopes of what an agent carries out itself and asks about here, all medium (contract §4). Nobody
 * else can call under them.
 */
export const AGENT_SCOPES = [
  "agent:read",
  "agent:edit",
  "agent:command",
  "agent:fetch",
  "agent:tool",
] as const;
export type AgentScope = (typeof AGENT_SCOPES)[number];

export const isAgentScope = (id: string): id is AgentScope =>
  AGENT_SCOPES.some((scope) => scope === id);

export const RESERVED_SCOPE_PREFIXES = ["hashee:", "system:"] as const;

export const isReservedScope = (id: string): boolean =>
  RESERVED_SCOPE_PREFIXES.some((prefix) => id.toLowerCase().startsWith(prefix));
