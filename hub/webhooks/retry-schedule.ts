const FIRST_MS = 1_000;
const CAP_MS = 300_000;

/** What is older than this when an attempt fails is given up. */
export const GIVE_UP_AFTER_MS = 24 * 3_600_000;

/**
 * How long to wait after so many failures in a row (≥ 1): 1, 2, 4 … 300 s, less up to a quarter by
 * `chance` (0 ≤ chance < 1), so that conversations do not come back in step.
 */
export function retryDelayMs(failures: number, chance: number): number {
  const full = Math.min(FIRST_MS * 2 ** (failures - 1), CAP_MS);
  return Math.round(full * (1 - chance / 4));
}
