/** The HTTP status for each code; after 503 the hub posts the same delivery again. */
const STATUS = {
  payload_not_json: 400,
  payload_malformed: 400,
  /** Not encrypted for this agent by the sender, or changed on the way. */
  envelope_unreadable: 400,
  signature_invalid: 401,
  not_a_webhook_agent: 400,
  /** Already handled: `done()` was called. Nothing is left to do. */
  already_received: 200,
  /** The person's key has changed. It can be opened after `acceptKey`. */
  key_changed: 503,
  /** The hub could not be asked for keys, or the key store failed. */
  keys_unavailable: 503,
} as const;

export type WebhookErrorCode = keyof typeof STATUS;

/** A delivery that was refused. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  /** The HTTP status to answer the hub with. */
  readonly status: number;
  /**
   * Why it could not be opened, one of docs/encryption.md, "Refusals"; else null. For the agent's log,
   * not for the answer: the hub must not learn it.
   */
  readonly refusal: string | null;
  constructor(code: WebhookErrorCode, refusal: string | null = null) {
    super(code);
    this.code = code;
    this.refusal = refusal;
    this.status = STATUS[code];
  }
}
