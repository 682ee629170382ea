import { useSyncExternalStore } from "react";

const current = (): string => window.location.hash;

function follow(changed: () => void): () => void {
  const end = new AbortController();
  window.addEventListener("hashchange", changed, { signal: end.signal });
  return () => end.abort();
}

/** The address's fragment, which links change (`#/agents?add=…`). */
export const useFragment = (): string => useSyncExternalStore(follow, current);
