import type { Static, TSchema } from "typebox";
import { guardOf } from "../../app/contract/checked.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import {
  parseStrictJson,
  type StrictJsonError,
  type StrictJsonFault,
  strictJsonError,
} from "../../app/contract/strict-json.ts";
import { isVisibleName } from "../../app/contract/visible-name.ts";
import { BODY_AT_MOST_BYTES, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import { type Refusal, refusal } from "../hub-error.ts";
import type { MayAsk, Subject } from "../hub-records.ts";

export interface RestRequest {
  /** Who asks, on routes of the person and of members. @throws Refusal UNAUTHENTICATED on others */
  readonly asker: Subject;
  /** Of the path, one that the route's own pattern has. @throws Refusal NOT_FOUND */
  param(name: string): string;
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

/**
 * Whose token is needed, checked before anything else is read: an owner's of the hub, a person's, an
 * agent's too, or that of one pairing, which the handler checks.
 */
export type RouteAuth = "none" | MayAsk | "pairing";

type Answer = RestAnswer | Promise<RestAnswer>;

/** Which codes an endpoint answers, and when. */
export type Refusals = Readonly<Partial<Record<HubErrorCode, string>>>;

/** What the documents say of an endpoint (spec/openapi.ts, docs/rest.md). */
export interface RouteSpec {
  readonly summary: string;
  readonly body?: TSchema;
  readonly bodyExample?: unknown;
  readonly query?: Readonly<Record<string, TSchema>>;
  readonly status?: 201;
  /** When the success is 200 nevertheless. */
  readonly orOk?: string;
  /** What stands under `data`; `null`: the answer is a document of its own. */
  readonly data: TSchema | null;
  readonly dataExample?: unknown;
  /** Besides those that follow from its token and its body (spec/refusals.ts). */
  readonly refusals?: Refusals;
}

export interface Route {
  readonly method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** `:name` stands for one segment. */
  readonly path: string;
  readonly auth: RouteAuth;
  readonly spec: RouteSpec;
  /** @throws Refusal */
  handle(request: RestRequest): Answer;
}

export const route = (
  method: Route["method"],
  path: string,
  auth: RouteAuth,
  spec: RouteSpec,
  handle: (request: RestRequest) => Answer,
): Route => ({ method, path, auth, spec, handle });

/** A route that reads its body by the schema in its description. */
export function routeWithBody<Schema extends TSchema>(
  method: "POST" | "PUT" | "PATCH",
  path: string,
  auth: RouteAuth,
  spec: RouteSpec & { readonly body: Schema },
  handle: (body: Static<Schema>, request: RestRequest) => Answer,
): Route {
  const isBody = guardOf(spec.body);
  return route(method, path, auth, spec, (request) =>
    handle(bodyAs(request.body, isBody), request),
  );
}

/** The code for a body over the limit. */
export const tooLargeFor = ({ spec }: Pick<Route, "spec">) =>
  spec.refusals !== undefined && "MANIFEST_TOO_LARGE" in spec.refusals
    ? "MANIFEST_TOO_LARGE"
    : "BODY_TOO_LARGE";

/** @throws Refusal BAD_REQUEST with `params.fault` */
export function bodyAs<Body>(bytes: Buffer, isBody: (value: unknown) => value is Body): Body {
  const value = strictJsonIn(bytes);
  if (strictJsonError.is(value)) throw badRequest(value.code);
  if (!isBody(value)) throw badRequest("body_schema");
  return value;
}

/** The body's value, or why it is no strict JSON. */
export function strictJsonIn(bytes: Buffer): JsonValue | StrictJsonError {
  try {
    return parseStrictJson(bytes, BODY_AT_MOST_BYTES);
  } catch (error) {
    if (strictJsonError.is(error)) return error;
    throw error;
  }
}

const badRequest = (fault: StrictJsonFault | "body_schema"): Refusal =>
  refusal("BAD_REQUEST", { fault });

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

/** A number in the query; 0 unless it is there. @throws Refusal BAD_REQUEST, its name as the fault */
export function countIn({ query }: RestRequest, name: string): number {
  const text = query.get(name) ?? "0";
  if (!/^\d{1,9}$/.test(text)) throw refusal("BAD_REQUEST", { fault: name });
  return Number(text);
}

export const invisible = (what: "name" | "title"): string =>
  `\`nothing_visible\`: the ${what} has no visible character.`;

/** @throws Refusal BAD_REQUEST, fault `nothing_visible`: an invisible name could be anybody's */
export function requireVisible(name: string): void {
  if (!isVisibleName(name)) throw refusal("BAD_REQUEST", { fault: "nothing_visible" });
}
