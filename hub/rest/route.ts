import type { JsonValue } from "../../app/contract/json.ts";
import {
  parseStrictJson,
  StrictJsonError,
  type StrictJsonFault,
} from "../../app/contract/strict-json.ts";
import { Refusal } from "../refusal.ts";
import { BODY_AT_MOST_BYTES, type TooLarge } from "./read-body.ts";

export interface RestRequest {
  readonly pathParams: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** The Authorization header's bearer token. */
  readonly bearer: string | undefined;
  readonly body: Buffer;
  /** Aborted when the client has gone. */
  readonly signal: AbortSignal;
}

export interface RestAnswer {
  readonly status: 200 | 201;
  readonly data: unknown;
  /** The answer is this document itself, not `{data}`. */
  readonly isDocument?: true;
}

/** `person`: a valid access token of the person. `own`: the handler checks the bearer itself. */
export type RouteAuth = "none" | "person" | "own";

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one segment. */
  readonly path: string;
  readonly auth: RouteAuth;
  /** How a body over the limit is refused; `BODY_TOO_LARGE` unless it says otherwise. */
  readonly tooLarge?: TooLarge;
  /** @throws Refusal */
  handle(request: RestRequest): RestAnswer | Promise<RestAnswer>;
}

/** A route whose body is one of rest.ts's schemas. */
export function routeWithBody<Body>(spec: {
  readonly method: "POST" | "PUT" | "PATCH";
  readonly path: string;
  readonly auth: RouteAuth;
  readonly tooLarge?: TooLarge;
  readonly isBody: (value: unknown) => value is Body;
  readonly handle: (body: Body, request: RestRequest) => RestAnswer | Promise<RestAnswer>;
}): Route {
  const { isBody, handle, ...route } = spec;
  return {
    ...route,
    handle: (request) => handle(bodyAs(request.body, isBody), request),
  };
}

/** @throws Refusal BAD_REQUEST with `params.fault` */
export function bodyAs<Body>(bytes: Buffer, isBody: (value: unknown) => value is Body): Body {
  const value = strictJson(bytes);
  if (!isBody(value)) throw badRequest("body_schema");
  return value;
}

function strictJson(bytes: Buffer): JsonValue {
  try {
    return parseStrictJson(bytes, BODY_AT_MOST_BYTES);
  } catch (error) {
    if (error instanceof StrictJsonError) throw badRequest(error.code);
    throw error;
  }
}

const badRequest = (fault: StrictJsonFault | "body_schema"): Refusal =>
  new Refusal("BAD_REQUEST", { fault });

export const ok = (data: unknown): RestAnswer => ({ status: 200, data });
export const document = (data: object): RestAnswer => ({ status: 200, data, isDocument: true });
export const created = (data: unknown): RestAnswer => ({ status: 201, data });

/** The path's parameters when it fits the pattern. */
export function matchPath(
  pattern: string,
  path: string,
): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split("/");
  const given = path.split("/");
  if (wanted.length !== given.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, segment] of wanted.entries()) {
    const value = given[index] ?? "";
    if (segment.startsWith(":") && value !== "") params[segment.slice(1)] = value;
    else if (segment !== value) return undefined;
  }
  return params;
}

/** A parameter the route's own pattern has. @throws Refusal NOT_FOUND */
export function pathParam(request: RestRequest, name: string): string {
  const value = request.pathParams[name];
  if (value === undefined) throw new Refusal("NOT_FOUND");
  return value;
}
