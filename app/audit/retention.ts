import { LIMITS } from "../contract/limits.ts";

/**
 * Entries older than this moment are gone (contract §6). `safeNow` is the clock that never runs
 * ahead of time actually passed, so a clock set forward purges nothing early.
 */
export const purgeBefore = (safeNow: number): number => safeNow - LIMITS.auditRetentionMs;
