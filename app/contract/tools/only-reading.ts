/**
 * Fields that let nobody in and tell nothing of the person, in lower case. With any other, a
 * request counts as one that sends: servers take their keys in fields that nobody can list.
 */
export const HARMLESS_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "accept-charset",
  "accept-language",
  "cache-control",
  "content-type",
  "if-modified-since",
  "if-none-match",
  "if-range",
  "pragma",
  "range",
  "user-agent",
]);

interface RequestArguments {
  readonly method?: unknown;
  readonly headers?: unknown;
}

/**
 * Whether a request only asks for something, as far as its method and fields say (contract §3).
 * Arguments of any shape: one that is not understood counts as one that sends.
 */
export const isOnlyReading = ({ method, headers = {} }: RequestArguments): boolean =>
  (method === undefined || method === "GET" || method === "HEAD") &&
  typeof headers === "object" &&
  headers !== null &&
  Object.keys(headers).every((name) => HARMLESS_HEADERS.has(name.toLowerCase()));
