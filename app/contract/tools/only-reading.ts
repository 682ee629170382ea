/**
 * Fields that neither authenticate nor say anything about the person, in lower case. With any other
 * field a request counts as sending data: servers accept keys in fields that nobody can list.
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
 * Whether a request only reads, as far as its method and fields show (contract §3). Arguments may have
 * any shape: one that is not understood counts as sending data.
 */
export const isOnlyReading = ({ method, headers = {} }: RequestArguments): boolean =>
  (method === undefined || method === "GET" || method === "HEAD") &&
  typeof headers === "object" &&
  headers !== null &&
  Object.keys(headers).every((name) => HARMLESS_HEADERS.has(name.toLowerCase()));
