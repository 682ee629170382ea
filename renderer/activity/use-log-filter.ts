import { useCallback, useEffect, useState } from "react";
import { pageAddress, pageOf, pageQuery } from "../page/page-address.ts";
import { filterOf, fragmentOf } from "./filter-fragment.ts";
import type { LogFilter } from "./log-filter.ts";

const inAddress = (): LogFilter => filterOf(pageQuery(window.location.hash));

/**
 * The filter, which is also part of the address: a reload keeps it, and other pages can link to it.
 */
export function useLogFilter(): readonly [LogFilter, (filter: LogFilter) => void] {
  const [filter, setFilter] = useState(inAddress);
  useEffect(() => {
    const end = new AbortController();
    const follow = (): void => {
      if (pageOf(window.location.hash) === "activity") setFilter(inAddress());
    };
    window.addEventListener("hashchange", follow, { signal: end.signal });
    return () => end.abort();
  }, []);
  const change = useCallback((next: LogFilter): void => {
    setFilter(next);
    window.history.replaceState(null, "", pageAddress("activity", fragmentOf(next)));
  }, []);
  return [filter, change];
}
