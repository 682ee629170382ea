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
