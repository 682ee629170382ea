import { expect } from "vitest";

/** For vitest's own waits: a second, as they have it, is too short for a slow machine. */
export const LONG_WAIT = { interval: 5, timeout: 15_000 };

/** Looks until there is something to see; the test's own limit ends a search in vain. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  let seen: T | undefined;
  await expect
    .poll(async () => {
      seen = await look();
      return seen !== undefined;
    }, LONG_WAIT)
    .toBe(true);
  return seen as T;
}
