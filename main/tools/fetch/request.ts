import {
  FETCH_MAX_RESPONSE_HEADERS,
  type FetchUrlArguments,
  type FetchUrlResult,
  HARMLESS_HEADERS,
} from "../../../app/contract/tools/fetch-url.ts";
import { toolFailure } from "../../../app/execution/ports.ts";
import { textOf } from "../text-of.ts";

/** One request of a fetch. Header names are lower-case. */
export interface Request {
  readonly url: URL;
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string | null;
}

const OF_A_BODY = /^content-/;

export function firstRequest(url: URL, args: FetchUrlArguments): Request {
  const given = Object.entries(args.headers ?? {});
  return {
    url,
    method: args.method ?? "GET",
    headers: new Map(given.map(([name, value]) => [name.toLowerCase(), value])),
    body: args.method === "POST" ? (args.body ?? "") : null,
  };
}

/** Whether the client must continue at `location`. */
export const isRedirect = (status: number): boolean => [301, 302, 303, 307, 308].includes(status);

/**
 * The request that a redirect asks for (RFC 9110 §15.4): 301, 302 and 303 turn a POST into a GET.
 * Another origin receives harmless headers only. Null if it would leave https, or send a body to
 * another origin. Pure.
 */
export function redirectedRequest(from: Request, status: number, to: URL): Request | null {
  if (from.url.protocol === "https:" && to.protocol !== "https:") return null;
  const isSameOrigin = from.url.origin === to.origin;
  const toGet = from.method === "POST" && status < 307;
  if (from.body !== null && !toGet && !isSameOrigin) return null;
  const headers = [...from.headers].filter(
    ([name]) => (isSameOrigin || HARMLESS_HEADERS.has(name)) && !(toGet && OF_A_BODY.test(name)),
  );
  return {
    url: to,
    method: toGet ? "GET" : from.method,
    headers: new Map(headers),
    body: toGet ? null : from.body,
  };
}

/** As the HTTP client returns them: lower-case names, and a list for a repeated field. */
type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * One text per field, in the order received.
 * @throws ToolFailure `too_large`
 */
export function joinHeaders(received: ReceivedHeaders): ReadonlyMap<string, string> {
  const fields = Object.entries(received).map(
    ([name, value]) => [name.toLowerCase(), value === undefined ? [] : [value].flat()] as const,
  );
  const count = fields.reduce((sum, [, values]) => sum + values.length, 0);
  if (count > FETCH_MAX_RESPONSE_HEADERS) throw toolFailure("too_large");
  return new Map(fields.map(([name, values]) => [name, values.join(", ")]));
}

/**
 * The headers passed to an agent: no cookies, and none that is no longer true of a decoded body.
 */
export function shownHeaders(
  headers: ReadonlyMap<string, string>,
  decoded: boolean,
): Readonly<Record<string, string>> {
  const kept = [...headers].filter(
    ([name]) =>
      name !== "set-cookie" &&
      name !== "set-cookie2" &&
      !(decoded && (name === "content-encoding" || name === "content-length")),
  );
  // Also correct for a field named `__proto__`.
  return Object.fromEntries(kept);
}

type BodyText = Pick<FetchUrlResult, "body" | "body_encoding">;

/** `charset` of a media type (RFC 9110 §8.3.2): a token or quoted string, case-insensitive. */
const CHARSET = /;[\t ]*charset=(?:"([^"]*)"|([^\t ;"]*))/i;

/** Text if it is valid UTF-8; everything else is base64, because no byte is ever replaced. Pure. */
export function bodyText(bytes: Uint8Array, contentType: string | undefined): BodyText {
  const said = CHARSET.exec(contentType ?? "");
  const charset = (said?.[1] ?? said?.[2] ?? "utf-8").toLowerCase();
  const text = charset === "utf-8" || charset === "utf8" ? textOf(bytes) : null;
  return text === null
    ? { body: Buffer.from(bytes).toString("base64"), body_encoding: "base64" }
    : { body: text, body_encoding: "utf-8" };
}
