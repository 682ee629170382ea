export const WEBHOOK_ERRORS = [
  "payload_not_json",
  "payload_malformed",
  "envelope_unreadable",
  "signature_invalid",
  "not_a_webhook_agent",
] as const;
export type WebhookErrorCode = (typeof WEBHOOK_ERRORS)[number];

/** A delivery that is not taken: answer 401 to `signature_invalid`, 400 to the rest. */
export class WebhookError extends Error {
  override readonly name = "WebhookError";
  readonly code: WebhookErrorCode;
  constructor(code: WebhookErrorCode) {
    super(code);
    this.code = code;
  }
}
