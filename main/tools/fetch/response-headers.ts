import { FETCH_MAX_RESPONSE_HEADERS } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";

/** As the HTTP client returns them: lower-case names, and a list for a repeated field. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * One text per field, in the order received.
 * @throws ToolFailure `too_large`
 */
export function joinHeaders(received: ReceivedHeaders): ReadonlyMap<string, string> {
  const fields = Object.entries(received).map(
    ([name, value]) => [name.toLowerCase(), value === undefined ? [] : [value].flat()] as const,
  );
  const count = fields.reduce((sum, [, values]) => sum + values.length, 0);
  if (count > FETCH_MAX_RESPONSE_HEADERS) throw new ToolFailure("too_large");
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
