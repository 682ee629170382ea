import { expect } from "vitest";

/** Looks until there is something to see; the test's own limit ends a search in vain. */
export async function eventually<T>(look: () => Promise<T | undefined>): Promise<T> {
  let seen: T | undefined;
  await expect
    .poll(
      async () => {
        seen = await look();
        return seen !== undefined;
      },
      { interval: 5, timeout: 15_000 },
    )
    .toBe(true);
  return seen as T;
}
