import { LIMITS } from "../contract/limits.ts";

/**
 * Entries older than this are purged (contract §6). `safeNow` never runs ahead of the time that
 * really passed, so setting the clock forward purges nothing early.
 */
export const purgeBefore = (
  safeNow: number,
  retentionMs: number = LIMITS.auditRetentionMs,
): number => safeNow - retentionMs;
