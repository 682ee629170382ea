const AGENT_ERRORS = [
  "invalid_token",
  "webhook_mode",
  /** The person has removed this agent: its credentials no longer work. */
  "agent_removed",
  "invalid_base_url",
  "web_socket_missing",
  "manifest_unavailable",
  "aborted",
  "disconnected",
  /** The hub does not accept this webhook address: it must be public and `https:`, or on this machine. */
  "webhook_refused",
  "hub_unreachable",
  /** The key store cannot be read, or does not contain keys. */
  "keys_unavailable",
  /**
   * Another process has this agent's key file open. Run one process at a time, or give each its own agent.
   */
  "keys_in_use",
  /**
   * This agent was added with the other `connectionMode`, and its keys are signed for that one. Use it,
   * or pair again.
   */
  "paired_otherwise",
  /** This person's keys are unknown, or are not the ones that were named. */
  "keys_unknown",
  "stream_ended",
  /** No agent can have this name. */
  "name_invalid",
  /** No agent of this name was paired by this account: `path` is where its credentials would be. */
  "credentials_missing",
  /** What is at `path` are not credentials, or they cannot be read. */
  "credentials_unreadable",
  /** Credentials cannot be stored at `path`. */
  "credentials_unwritable",
  /** An agent of this name was paired before, and its credentials are at `path`. Nothing was replaced. */
  "credentials_exist",
] as const;
export type AgentErrorCode = (typeof AGENT_ERRORS)[number];

const NO_WEB_SOCKET = "install the package ws, as Node 20 needs it, or pass webSocket";

/** The agent as a whole cannot go on, or was used after its end. */
export class AgentError extends Error {
  override readonly name = "AgentError";
  readonly code: AgentErrorCode;
  /** Of the file that the error is about, if it is about one. */
  readonly path: string | undefined;
  constructor(code: AgentErrorCode, path?: string) {
    super(
      code === "web_socket_missing"
        ? `${code}: ${NO_WEB_SOCKET}`
        : [code, path].filter(Boolean).join(": "),
    );
    this.code = code;
    this.path = path;
  }
}
