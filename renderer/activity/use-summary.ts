import { useEffect, useState } from "react";
import type { ActivitySummary } from "../../app/bridge/views.ts";
import { useHost, useShown } from "../host-context.tsx";
import { type LogQuery, mayMatch } from "./log-filter.ts";

/** How long after a new line the host is asked to count again, in milliseconds. */
const RECOUNT_MS = 5_000;

/** How many calls match the query; null until the host has counted, or if it failed. */
export function useSummary(query: LogQuery): ActivitySummary | null {
  const { bridge } = useHost();
  const connected = useShown((shown) => shown.connection === "connected");
  const [summary, setSummary] = useState<ActivitySummary | null>(null);
  useEffect(() => {
    if (!connected) return;
    const end = new AbortController();
    const { signal } = end;
    let timer: ReturnType<typeof setTimeout> | null = null;
    const count = async (): Promise<void> => {
      timer = null;
      // The list shows any failure; without counts there is simply no chart.
      const counted = await bridge.call("activity.summary", query).catch(() => null);
      if (!signal.aborted) setSummary(counted);
    };
    bridge.on(
      "activity.changed",
      (row) => {
        if (timer === null && mayMatch(row, query)) timer = setTimeout(count, RECOUNT_MS);
      },
      signal,
    );
    void count();
    return () => {
      end.abort();
      if (timer !== null) clearTimeout(timer);
    };
  }, [bridge, connected, query]);
  return summary;
}
