/** What to answer the hub with; after 503 it posts the same delivery again. */
const STATUS = {
  payload_not_json: 400,
  payload_malformed: 400,
  /** Not encrypted for this agent by the one it comes from, or changed on the way. */
  envelope_unreadable: 400,
  signature_invalid: 401,
  not_a_webhook_agent: 400,
  /** It was dealt with before: `done()` had been called. Nothing is left to do. */
  already_received: 200,
  /** The person has another key. It can be opened after `acceptKey`. */
  key_changed: 503,
  /** The hub could not be asked for keys, or the key store failed. */
  keys_unavailable: 503,
} as const;

export type WebhookErrorCode = keyof typeof STATUS;

/** A delivery that is not taken. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  /** The HTTP status to answer the hub with. */
  readonly status: number;
  /**
   * Why it did not open, as docs/encryption.md has it under "Refusals"; null where it did, or where
   * there is nothing to open. For the agent's log, not for the answer: the hub need not learn it.
   */
  readonly refusal: string | null;
  constructor(code: WebhookErrorCode, refusal: string | null = null) {
    super(code);
    this.code = code;
    this.refusal = refusal;
    this.status = STATUS[code];
  }
}
