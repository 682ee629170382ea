import { LIMITS } from "../contract/limits.ts";

/**
 * A person's "allow in this conversation" (contract §3): per agent, conversation and scope, and
 * void as soon as the manifest is another one than the one it was opened under.
 */
export interface WindowKey {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly scope: string;
}

export interface SilenceWindow extends WindowKey {
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly opened_at: number;
  readonly last_used_at: number;
}

/** When the window ends if it is not used again: 24 h after its last use, at most 7 days in all. */
export const windowEndsAt = (window: SilenceWindow): number =>
  Math.min(window.last_used_at + LIMITS.windowSlideMs, window.opened_at + LIMITS.windowCapMs);

/** `now` is the clock that never runs behind: setting the wall clock back lengthens nothing. */
export const windowCovers = (window: SilenceWindow, manifestHash: string, now: number): boolean =>
  window.manifest_hash === manifestHash && now < windowEndsAt(window);
