import { expect } from "vitest";

/** For vitest's own waits, whose default of a second is too short for a slow machine. */
export const LONG_WAIT = { interval: 5, timeout: 15_000 };

/** Repeats until there is a result; the test's own time limit ends it otherwise. */
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
