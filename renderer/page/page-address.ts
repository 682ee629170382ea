import { useSyncExternalStore } from "react";
import { PAGES, type PageName } from "../parts/navigation.tsx";

const ADDRESS = /^#\/([a-z]+)(?:\?(.*))?$/s;

/** The page named in a fragment (`#/activity?status=error`); null if there is none. */
export const pageOf = (fragment: string): PageName | null =>
  PAGES.find((name) => name === ADDRESS.exec(fragment)?.[1]) ?? null;

/** The fragment's query; "" if there is none. */
export const pageQuery = (fragment: string): string => ADDRESS.exec(fragment)?.[2] ?? "";

export const pageAddress = (page: PageName, query = ""): string =>
  query === "" ? `#/${page}` : `#/${page}?${query}`;

const current = (): string => window.location.hash;

function follow(changed: () => void): () => void {
  const end = new AbortController();
  window.addEventListener("hashchange", changed, { signal: end.signal });
  return () => end.abort();
}

/** The address's fragment, which links change (`#/agents?add=…`). */
export const useFragment = (): string => useSyncExternalStore(follow, current);
