const AGENT_ERRORS = [
  "invalid_token",
  "webhook_mode",
  /** The person has removed this agent: its credentials are of no use any more. */
  "agent_removed",
  "invalid_base_url",
  "web_socket_missing",
  "manifest_unavailable",
  "aborted",
  "disconnected",
  /** The hub takes no such webhook address: `https:` and public, or on this machine. */
  "webhook_refused",
  "hub_unreachable",
  /** The key store cannot be read, or holds something else. */
  "keys_unavailable",
  /**
   * Another process has this agent's key file open. Run one at a time, or give each agent of its own.
   */
  "keys_in_use",
  /**
   * This agent was added for the other `connectionMode`, which its keys are signed for. Use that one,
   * or have it added again.
   */
  "paired_otherwise",
  /** No keys of this person are known, or not the ones that were named. */
  "keys_unknown",
  "stream_ended",
] as const;
export type AgentErrorCode = (typeof AGENT_ERRORS)[number];

/** The agent as a whole cannot go on, or was used after its end. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;
  constructor(code: AgentErrorCode) {
    super(code);
    this.code = code;
  }
}
