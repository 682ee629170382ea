import { type CallSubject, covers } from "../contract/call-subject.ts";
import { LIMITS } from "../contract/limits.ts";

/** Where a quiet period applies: to one agent, in one conversation, within one scope. */
export interface WindowPlace {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly scope: string;
}

/**
 * A quiet period, the person's "allow in this conversation" (contract §3): for what the card showed or
 * for the whole scope. It ends when the manifest changes.
 */
export interface WindowKey extends WindowPlace {
  readonly subject: CallSubject;
}

export interface SilenceWindow extends WindowKey {
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly opened_at: number;
  readonly last_used_at: number;
}

/** When it ends if it is not used again: 24 h after its last use, at most 7 days in all. */
export const windowEndsAt = (window: SilenceWindow): number =>
  Math.min(window.last_used_at + LIMITS.windowSlideMs, window.opened_at + LIMITS.windowCapMs);

/** @param now on the trusted clock, so that setting the computer's clock back lengthens nothing */
export const isWindowOpen = (window: SilenceWindow, manifestHash: string, now: number): boolean =>
  window.manifest_hash === manifestHash && now < windowEndsAt(window);

export interface QuietCall {
  readonly subject: CallSubject | null;
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
}

/** The quiet period that covers a call, of those at its place; the widest if several do. */
export function windowFor(
  windows: readonly SilenceWindow[],
  { subject, manifest_hash, now }: QuietCall,
): SilenceWindow | undefined {
  const covering = windows.filter(
    (window) => isWindowOpen(window, manifest_hash, now) && covers(window.subject, subject),
  );
  return covering.find((window) => window.subject.kind === "scope") ?? covering[0];
}
