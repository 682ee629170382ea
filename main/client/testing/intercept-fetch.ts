import { onTestFinished, vi } from "vitest";

type Before = (url: string, init: RequestInit | undefined) => unknown;

/**
 * Until the test ends, or what this returns is called: each request of this process waits for
 * `before`, which may answer or fail in the hub's place.
 */
export function interceptFetch(before: Before): () => void {
  const { fetch } = globalThis;
  const spy = vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    const answer = await before(String(input), init);
    return answer instanceof Response ? answer : fetch(input, init);
  });
  const undo = () => spy.mockRestore();
  onTestFinished(undo);
  return undo;
}

/** No request reaches the hub, or none of this method. */
export const loseRequests = (method?: string): (() => void) =>
  interceptFetch((_, init) => {
    if (method === undefined || init?.method === method) throw new TypeError("no line");
  });
