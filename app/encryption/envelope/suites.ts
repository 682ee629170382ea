/**
 * Which layers an envelope has: `sealed` L1 to L3, for webhook agents and groups; `ratchet` L1 to
 * L5.
 */
export const SUITES = { sealed: 1, ratchet: 2 } as const;
export type Suite = keyof typeof SUITES;

export const suiteOf = (byte: number): Suite | null => {
  if (byte === SUITES.sealed) return "sealed";
  return byte === SUITES.ratchet ? "ratchet" : null;
};
