import type { FetchUrlArguments } from "../../../app/contract/tools/fetch-url.ts";
import { HARMLESS_HEADERS } from "../../../app/contract/tools/only-reading.ts";

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
