import type { Sensitivity } from "./sensitivity.ts";

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
