/** An agent and the conversation it writes to. */
export interface RelayAgent {
  readonly agent_id: string;
  readonly token: string;
  readonly conversation_id: string;
}

/** What a relay's clients need to know; null tokens: none are needed. */
export interface RelayPlan {
  readonly url: string;
  readonly personToken: string | null;
  readonly agents: readonly RelayAgent[];
}

/** Size of an envelope in bytes: a short text plus what encryption adds. */
export const ENVELOPE_BYTES = 300;
