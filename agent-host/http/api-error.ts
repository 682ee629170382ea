import type { ContentfulStatusCode } from "hono/utils/http-status";
import { type CodedError, errorKind } from "../../app/contract/coded-error.ts";

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

type Details = Readonly<Record<string, unknown>>;
const kind = errorKind<ApiErrorName, Details>("ApiError");
export type ApiError = CodedError<ApiErrorName, Details>;
export const isApiError = kind.is;
export const apiError = (code: ApiErrorName, message: string, details: Details = {}): ApiError =>
  kind(code, { message, details });

export const bodyOf = ({ code: error, message, details = {} }: ApiError): ApiErrorBody => ({
  ...{ error, message, details, statusCode: API_ERRORS[error] },
});
