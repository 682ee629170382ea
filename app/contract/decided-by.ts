/** The rule that decided a call (contract §6). */
export const DECIDED_BY = [
  "silent_low",
  "window",
  "person",
  /** A rule of the person's. */
  "rule",
  /** The profile that denies what nothing covers. */
  "hands_off",
  /** What "always deny" was called before it became a rule. */
  "standing_rule",
  /** The person paused all agents. */
  "paused",
  /** What an administrator decided for the computer. */
  "policy",
  "contract",
] as const;
export type DecidedBy = (typeof DECIDED_BY)[number];

/**
 * What decided a call, and which decision of the person's it followed: a rule, a quiet period or a
 * low permission that was given. It identifies that decision without saying what it is about.
 */
export interface Decision {
  readonly decided_by: DecidedBy;
  readonly rule_id?: string;
  /** When the person made that decision, in milliseconds on the trusted clock. */
  readonly given_at?: number;
  /** The call on whose card they made it; absent: on none, or that was not noted yet. */
  readonly given_on?: string;
}
