/** The rule that decided a call (contract §6). */
export const DECIDED_BY = [
  "silent_low",
  "window",
  "person",
  "standing_rule",
  /** The person paused all agents. */
  "paused",
  "contract",
] as const;
export type DecidedBy = (typeof DECIDED_BY)[number];
