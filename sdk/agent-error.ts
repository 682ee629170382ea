export const AGENT_ERRORS = [
  "invalid_token",
  "webhook_mode",
  "invalid_base_url",
  "web_socket_missing",
  "manifest_unavailable",
  "aborted",
  "disconnected",
  /** The key store cannot be read, or holds something else. */
  "keys_unavailable",
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
