import { LIMITS } from "../contract/limits.ts";

/**
 * Entries older than this moment are purged (contract §6). `safeNow` never runs ahead of the time
 * that actually passed, so a clock that is set forward purges nothing early.
 */
export const purgeBefore = (safeNow: number): number => safeNow - LIMITS.auditRetentionMs;
