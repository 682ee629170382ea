import { type CallSubject, covers } from "../contract/call-subject.ts";
import { LIMITS } from "../contract/limits.ts";

/** Where a quiet period applies: for one agent, in one conversation, within one scope. */
export interface QuietPeriodPlace {
  readonly agent_id: string;
  readonly conversation_id: string;
  readonly scope: string;
}

/**
 * Identifies a quiet period, started by the person's "allow in this conversation" (contract §3):
 * for what the card showed or for the whole scope. It ends when the manifest changes.
 */
export interface QuietPeriodKey extends QuietPeriodPlace {
  readonly subject: CallSubject;
}

export interface QuietPeriod extends QuietPeriodKey {
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly opened_at: number;
  readonly last_used_at: number;
  /** The call on whose card it was given; null: that was not noted yet. */
  readonly made_on: string | null;
  /** Only where the agent has this folder open, with every link resolved; absent: it opens none. */
  readonly project?: string;
  /** It ends with the prompt, and with the program; so it is not stored. */
  readonly for_prompt?: true;
}

/**
 * When it ends unless it is used again: 24 h after its last use, at most 7 days after its start.
 */
export const quietPeriodEndsAt = (period: QuietPeriod): number =>
  Math.min(period.last_used_at + LIMITS.quietUnusedMs, period.opened_at + LIMITS.quietLongestMs);

/** @param now on the trusted clock, so that setting the computer's clock back lengthens nothing */
export const isQuietPeriodActive = (
  period: QuietPeriod,
  manifestHash: string,
  now: number,
): boolean => period.manifest_hash === manifestHash && now < quietPeriodEndsAt(period);

/** Whether an agent that has these folders open is in the period's project. */
export const isInProject = (
  { project: its }: Pick<QuietPeriod, "project">,
  project: readonly string[],
): boolean => its === undefined || project.includes(its);

export interface QuietCall {
  readonly subject: CallSubject | null;
  readonly manifest_hash: string;
  /** Milliseconds on the trusted clock. */
  readonly now: number;
}

/** The quiet period that covers a call, of those at its place; the widest if there are several. */
export function quietPeriodFor(
  quietPeriods: readonly QuietPeriod[],
  { subject, manifest_hash, now }: QuietCall,
): QuietPeriod | undefined {
  const covering = quietPeriods.filter(
    (period) => isQuietPeriodActive(period, manifest_hash, now) && covers(period.subject, subject),
  );
  return covering.find((period) => period.subject.kind === "scope") ?? covering[0];
}
