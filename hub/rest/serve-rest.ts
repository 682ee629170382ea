import type { IncomingMessage, ServerResponse } from "node:http";
import { LIMITS } from "../../app/contract/limits.ts";
import { BODY_AT_MOST_BYTES, HUB_ERRORS, type HubErrorCode } from "../../app/protocol/v1/rest.ts";
import { errorBody, faultOf, isRefusal, type Refusal, refusal } from "../hub-error.ts";
import type { HubEvent, Log } from "../hub-options.ts";
import type { SubjectOf } from "../hub-records.ts";
import type { RequestLimits } from "../limits/request-limits.ts";
import { matchPath, type RestAnswer, type Route, tooLargeFor } from "./route.ts";

export const SECURITY_HEADERS = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
} as const;

type Found = { readonly route: Route; readonly pathParams: Readonly<Record<string, string>> };

export interface RestParts {
  readonly routes: readonly Route[];
  /** Whose token it is. @throws Refusal */
  readonly subjectOf: SubjectOf;
  readonly log: Log;
  /** Whether the request may come. @returns the address that it comes from @throws Refusal */
  readonly admit: (request: IncomingMessage) => string;
  readonly limits: RequestLimits;
  readonly count: (event: HubEvent) => void;
}

/** Answers one request: host and origin, route, who asks, body, handler. */
export async function serveRest(
  parts: RestParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  try {
    parts.count("request");
    const address = parts.admit(request);
    const answer = await answerOf(parts, address, request, response);
    const { status, data, isDocument } = answer;
    reply(response, status, isDocument === true ? data : { data });
  } catch (error) {
    const refused = isRefusal(error) ? error : internal(parts.log, error);
    parts.count("request_refused");
    // A body nobody read would otherwise be taken for the next request.
    if (!request.complete && !response.headersSent) response.setHeader("Connection", "close");
    const { code, details: params = {} } = refused;
    if (code === "METHOD_NOT_ALLOWED") response.setHeader("Allow", String(params.allow));
    const { retry_after } = params;
    if (retry_after !== undefined) setRetryAfter(response, retry_after);
    replyError(response, code, params);
  }
}

/** In whole seconds: under the platform's own spelling, and under RFC 9110 §10.2.3's. */
function setRetryAfter(response: ServerResponse, seconds: unknown): void {
  response.setHeader("retry_after", String(seconds));
  response.setHeader("Retry-After", String(seconds));
}

async function answerOf(
  { routes, subjectOf, limits }: RestParts,
  address: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<RestAnswer> {
  const [path = "", query = ""] = (request.url ?? "").split("?", 2);
  const { route, pathParams } = findRoute(routes, request.method ?? "", path);
  const bearer = bearerOf(request);
  const { auth } = route;
  const isAsked = auth !== "none" && auth !== "pairing";
  // Tokens are guessed no faster than anything else is asked.
  limits.countAddress(address);
  const subject = isAsked ? await subjectOf(bearer, auth) : undefined;
  if (subject !== undefined) limits.countSubject(subject.id);
  const gone = new AbortController();
  response.on("close", () => gone.abort());
  const body = await readBody(request, tooLargeFor(route));
  return await route.handle({
    get asker() {
      return subject ?? refuse("UNAUTHENTICATED");
    },
    param: (name) => pathParams[name] ?? refuse("NOT_FOUND"),
    query: new URLSearchParams(query),
    bearer,
    body,
    signal: gone.signal,
  });
}

function refuse(code: HubErrorCode): never {
  throw refusal(code);
}

function findRoute(routes: readonly Route[], method: string, path: string): Found {
  const onPath = routes.flatMap((route): Found[] => {
    const pathParams = matchPath(route.path, path);
    return pathParams === undefined ? [] : [{ route, pathParams }];
  });
  const found = onPath.find(({ route }) => route.method === method);
  if (found !== undefined) return found;
  if (onPath.length === 0) throw refusal("NOT_FOUND");
  const allow = onPath.map(({ route }) => route.method).join(", ");
  throw refusal("METHOD_NOT_ALLOWED", { allow });
}

const bearerOf = (request: IncomingMessage): string | undefined =>
  /^Bearer ([^\s]+)$/i.exec(request.headers.authorization ?? "")?.[1];

function internal(log: Log, error: unknown): Refusal {
  log({ code: "request_failed", fault: faultOf(error) });
  return refusal("INTERNAL");
}

function reply(response: ServerResponse, status: number, body: unknown): void {
  if (response.headersSent || response.destroyed) return;
  const text = JSON.stringify(body);
  response.writeHead(status, {
    ...SECURITY_HEADERS,
    "Content-Type": "application/json; charset=utf-8",
    "Content-Length": Buffer.byteLength(text),
  });
  response.end(text);
}

function replyError(
  response: ServerResponse,
  code: HubErrorCode,
  params: Readonly<Record<string, unknown>>,
): void {
  reply(response, HUB_ERRORS[code], { error: errorBody(code, params) });
}

/**
 * The rest of a body over the limit is read and discarded up to here, because a client that is still
 * writing when the connection is closed never sees the answer.
 */
const DRAINED_AT_MOST_BYTES = 16 * 1024 * 1024;

/** @throws Refusal as `tooLarge` names it, past 262,144 bytes */
async function readBody(
  request: IncomingMessage,
  tooLarge: ReturnType<typeof tooLargeFor>,
): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.byteLength;
    if (bytes <= BODY_AT_MOST_BYTES) chunks.push(chunk);
    else chunks.length = 0;
    if (bytes > DRAINED_AT_MOST_BYTES) break;
  }
  if (bytes <= BODY_AT_MOST_BYTES) return Buffer.concat(chunks);
  throw refusal(tooLarge, {
    max_bytes: tooLarge === "MANIFEST_TOO_LARGE" ? LIMITS.manifestBytes : BODY_AT_MOST_BYTES,
  });
}
