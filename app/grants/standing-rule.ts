/** A person's "always deny": as wide as its label, one tool of one agent. */
export interface StandingRule {
  readonly agent_id: string;
  /** The catalogue's name, so that an alias does not slip past the rule. */
  readonly tool_name: string;
  /** Milliseconds since the epoch. */
  readonly added_at: number;
}
