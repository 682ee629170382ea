import { useEffect, useState } from "react";
import type { ActivitySummary } from "../../app/bridge/views.ts";
import { useHost, useShown } from "../host-context.tsx";
import { countMatching } from "./count-matching.ts";
import { type LogQuery, mayMatch } from "./log-filter.ts";

/** How long the count of another query may still be shown, milliseconds. */
const STALE_MS = 300;
/** Between two counts, milliseconds. */
const REST_MS = 5_000;
/** The same, as a multiple of what the last count took: in a long log that is seconds. */
const REST_TIMES = 10;

/** What has been counted: all that the query selects, or so far only its newest part. */
export interface Counted {
  readonly summary: ActivitySummary;
  readonly whole: boolean;
}

/** How many calls match the query; null until the host has counted some, or if it failed. */
export function useSummary(query: LogQuery): Counted | null {
  const { bridge } = useHost();
  const connected = useShown((shown) => shown.connection === "connected");
  const [counted, setCounted] = useState<Counted | null>(null);
  useEffect(() => {
    if (!connected) return;
    // A call also leaves a status: at its end, or when its agent reports that it failed.
    const { status: _, ...ofAnyStatus } = query;
    const end = new AbortController();
    const { signal } = end;
    const outdated = setTimeout(() => setCounted(null), STALE_MS);
    const show = (shown: Counted | null): void => {
      clearTimeout(outdated);
      setCounted(shown);
    };
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isResting = false;
    let isStale = false;
    const count = async (onPart: (part: ActivitySummary) => void = () => {}): Promise<void> => {
      isResting = true;
      isStale = false;
      const began = performance.now();
      // The list shows any failure; without counts there is simply no chart.
      const summary = await countMatching(bridge, query, { onPart, signal }).catch(() => null);
      if (signal.aborted) return;
      show(summary === null ? null : { summary, whole: true });
      const rest = () => {
        isResting = false;
        if (isStale) void count();
      };
      timer = setTimeout(rest, Math.max(REST_MS, REST_TIMES * (performance.now() - began)));
    };
    bridge.on(
      "activity.changed",
      (row) => {
        if (!mayMatch(row, ofAnyStatus)) return;
        isStale = true;
        if (!isResting) void count();
      },
      signal,
    );
    void count((summary) => show({ summary, whole: false }));
    return () => {
      end.abort();
      clearTimeout(outdated);
      clearTimeout(timer);
    };
  }, [bridge, connected, query]);
  return counted;
}
