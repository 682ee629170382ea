/** The person's "always deny" for one tool of one agent. */
export interface StandingRule {
  readonly agent_id: string;
  /** The catalogue's name, so that an alias cannot evade the rule. */
  readonly tool_name: string;
  /** Milliseconds since the epoch. */
  readonly added_at: number;
}
