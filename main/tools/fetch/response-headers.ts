import { FETCH_MAX_RESPONSE_HEADERS } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";

/** As the HTTP client gives them: lower-case names, a list where a field came repeatedly. */
export type ReceivedHeaders = Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * One text per field, in the order they came.
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

/** What an agent is given of them: no cookies, and nothing that is untrue of a decoded body. */
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
  // Defines own properties, also for a field that is called `__proto__`.
  return Object.fromEntries(kept);
}
