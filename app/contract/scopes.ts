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

export const RESERVED_SCOPE_PREFIXES = ["hashee:", "system:"] as const;

export const isReservedScope = (id: string): boolean =>
  RESERVED_SCOPE_PREFIXES.some((prefix) => id.toLowerCase().startsWith(prefix));
