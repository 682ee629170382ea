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
  "contract",
] as const;
export type DecidedBy = (typeof DECIDED_BY)[number];
