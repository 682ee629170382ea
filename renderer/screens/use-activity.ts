import { useCallback, useEffect, useRef, useState } from "react";
import type { ActivityPage, ActivityRow } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/error-code.ts";
import { useHost, useShown } from "../host-context.tsx";
import { type ActivityFilter, withMatchingRow, withPage } from "../state/activity-rows.ts";

const PAGE_ROWS = 50;

interface ActivityList {
  readonly rows: readonly ActivityRow[];
  readonly loading: boolean;
  readonly more: boolean;
  readonly loadMore: () => void;
}

interface Loaded {
  readonly rows: readonly ActivityRow[];
  readonly next_before_seq: number | null;
}

const NOTHING: Loaded = { rows: [], next_before_seq: null };

/** The log as filtered: pages by key from the host, and live lines put in their place. */
export function useActivity(filter: ActivityFilter): ActivityList {
  const { bridge, setFailure } = useHost();
  const connected = useShown((shown) => shown.connection === "connected");
  const [loaded, setLoaded] = useState<Loaded>(NOTHING);
  const [loading, setLoading] = useState(true);
  const current = useRef<AbortSignal | null>(null);

  const load = useCallback(
    async (before_seq: number | null, signal: AbortSignal): Promise<void> => {
      setLoading(true);
      try {
        const page = await bridge.call("activity.page", pageArguments(filter, before_seq));
        if (!signal.aborted) setLoaded((before) => joined(before, page));
      } catch (error) {
        if (!signal.aborted) setFailure(errorCode(error));
      }
      if (!signal.aborted) setLoading(false);
    },
    [bridge, filter, setFailure],
  );

  useEffect(() => {
    if (!connected) return;
    const listening = new AbortController();
    current.current = listening.signal;
    setLoaded(NOTHING);
    void load(null, listening.signal);
    bridge.on(
      "activity.changed",
      (row) =>
        setLoaded((before) => ({ ...before, rows: withMatchingRow(before.rows, row, filter) })),
      listening.signal,
    );
    return () => listening.abort();
  }, [bridge, connected, filter, load]);

  const { rows, next_before_seq } = loaded;
  const loadMore = (): void => {
    if (current.current !== null && !loading) void load(next_before_seq, current.current);
  };
  return { rows, loading, more: next_before_seq !== null, loadMore };
}

const joined = (before: Loaded, page: ActivityPage): Loaded => ({
  // Lines that came live while the first page was on its way are newer than it, and stay on top.
  rows: withPage(before.rows, page.rows).toSorted((one, other) => other.seq - one.seq),
  next_before_seq: page.next_before_seq,
});

const pageArguments = (filter: ActivityFilter, before_seq: number | null) => ({
  limit: PAGE_ROWS,
  ...(before_seq === null ? {} : { before_seq }),
  ...(filter.agent_id === null ? {} : { agent_id: filter.agent_id }),
  ...(filter.status === null ? {} : { status: filter.status }),
  ...(filter.call_id === "" ? {} : { call_id: filter.call_id }),
});
