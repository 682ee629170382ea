export interface ErrorOptionsOf<Details> extends ErrorOptions {
  /** For people and logs; nobody parses it. The code where absent. */
  readonly message?: string;
  readonly details?: Details;
}

/** An error with a code from its boundary's table. Its name is the boundary's. */
export class CodedError<Code extends string = string, Details = unknown> extends Error {
  override readonly name: string;
  readonly code: Code;
  readonly details: Details | undefined;
  constructor(boundary: string, code: Code, options: ErrorOptionsOf<Details> = {}) {
    super(options.message ?? code, options);
    this.name = boundary;
    this.code = code;
    this.details = options.details;
  }
}

/** The errors of one boundary: makes one, and tells them from all others. */
export interface ErrorKind<Code extends string, Details = unknown> {
  (code: Code, options?: ErrorOptionsOf<Details>): CodedError<Code, Details>;
  is(error: unknown): error is CodedError<Code, Details>;
}

/**
 * The errors that one boundary throws.
 * @param boundary what stack traces call them, such as `StoreError`; unique in the program
 * @param messageOf what a code says where the error brings no message of its own
 */
export function errorKind<Code extends string, Details = unknown>(
  boundary: string,
  messageOf: (code: Code) => string = (code) => code,
): ErrorKind<Code, Details> {
  const make = (code: Code, options?: ErrorOptionsOf<Details>) =>
    new CodedError<Code, Details>(boundary, code, { message: messageOf(code), ...options });
  const is = (error: unknown): error is CodedError<Code, Details> =>
    error instanceof CodedError && error.name === boundary;
  return Object.assign(make, { is });
}
