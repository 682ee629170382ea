const BACKOFF_FIRST_MS = 1_000;
export const BACKOFF_CAP_MS = 30_000;

/**
 * Reconnect delay: 1, 2, 4 … 30 s, shortened by up to a quarter through `chance` (0 ≤ chance < 1).
 */
export function reconnectDelayMs(
  attempt: number,
  chance: number,
  capMs: number = BACKOFF_CAP_MS,
): number {
  const full = Math.min(BACKOFF_FIRST_MS * 2 ** attempt, capMs);
  return Math.round(full * (1 - chance / 4));
}
