/** A conversation as the agent sees it. Declared here for the same reason as `AgentClock`. */
export interface ConversationSummary {
  readonly conversation_id: string;
  readonly type: "h2a" | "group";
  readonly title: string | null;
  /** The person it belongs to. */
  readonly owner_id: string;
  readonly member_count: number;
  /** The number of its last message; 0 before the first. */
  readonly last_seq: number;
  /** How far the agent has read. */
  readonly read_seq: number;
}

export interface ConversationView extends ConversationSummary {
  readonly members: readonly ConversationMember[];
}

export interface ConversationMember {
  readonly member_id: string;
  readonly member_type: "human" | "agent";
  readonly role: "owner" | "member";
  /** An agent's. */
  readonly name: string | null;
  readonly read_seq: number;
}
