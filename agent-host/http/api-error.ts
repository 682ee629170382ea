import type { ContentfulStatusCode } from "hono/utils/http-status";

/** Every way to refuse a request, with its HTTP status. */
export const API_ERRORS = {
  BadRequest: 400,
  Unauthorized: 401,
  NotFound: 404,
  MethodNotAllowed: 405,
  PayloadTooLarge: 413,
  TooManyRequests: 429,
  InternalServerError: 500,
  BadGateway: 502,
  ServiceUnavailable: 503,
} as const satisfies Record<string, ContentfulStatusCode>;
export type ApiErrorName = keyof typeof API_ERRORS;

/** The format of every error. */
export interface ApiErrorBody {
  readonly error: ApiErrorName;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly statusCode: number;
}

export class ApiError extends Error {
  override readonly name: ApiErrorName;
  readonly details: Readonly<Record<string, unknown>>;
  constructor(
    name: ApiErrorName,
    message: string,
    details: Readonly<Record<string, unknown>> = {},
  ) {
    super(message);
    this.name = name;
    this.details = details;
  }

  get status(): (typeof API_ERRORS)[ApiErrorName] {
    return API_ERRORS[this.name];
  }

  get body(): ApiErrorBody {
    const { name: error, message, details, status: statusCode } = this;
    return { error, message, details, statusCode };
  }
}
