/**
 * A message that will not arrive. `code` is the hub's when the hub refused it
 * (`NOT_A_MEMBER`, `RATE_LIMITED`, `HISTORY_FULL`, …), else one of `payload_too_large`, `not_json`, `conversation_id_invalid`,
 * `revision_not_higher`, `artifact_unfit` (a client would not draw it), `voice_malformed`,
 * `voice_type_unknown`, `voice_too_long`, `voice_too_large`, or why the agent has closed: `disconnected`,
 * `agent_removed`, `invalid_token`.
 */
export class SendError extends Error {
  override readonly name = "SendError";
  readonly code: string;
  /** What the hub added, for instance `retry_after`; of `artifact_unfit`, `path`. */
  readonly params: Readonly<Record<string, unknown>>;
  constructor(code: string, params: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}
