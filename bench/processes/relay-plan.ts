/** An agent and where it writes to. */
export interface RelayAgent {
  readonly agent_id: string;
  readonly token: string;
  readonly conversation_id: string;
}

/** What a relay's clients need to know of it; null tokens: it asks for none. */
export interface RelayPlan {
  readonly url: string;
  readonly personToken: string | null;
  readonly agents: readonly RelayAgent[];
}

/** Bytes of an envelope: a short text with what encryption would add. */
export const ENVELOPE_BYTES = 300;
