/**
 * A conversation request failed. `code` is the hub's (`NOT_FOUND`, `NOT_RELATED`, `TOO_MANY_GROUPS`,
 * …) or `hub_unreachable`.
 */
export class ConversationError extends Error {
  override readonly name = "ConversationError";
  readonly code: string;
  readonly params: Readonly<Record<string, unknown>>;
  constructor(code: string, params: Readonly<Record<string, unknown>> = {}) {
    super(code);
    this.code = code;
    this.params = params;
  }
}
