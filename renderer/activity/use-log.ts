import { useEffect, useState } from "react";
import { useStore } from "zustand";
import { createStore } from "zustand/vanilla";
import { useHost, useReconnected } from "../host-context.tsx";
import type { LogQuery } from "./log-filter.ts";
import { LogSession, type LogState, UNREAD_LOG } from "./log-session.ts";

interface OpenLog {
  /** Null until the first session is open. */
  readonly session: LogSession | null;
  readonly state: LogState;
}

const NOT_OPEN = createStore(() => UNREAD_LOG);

/** The log under this query; each query has its own session. */
export function useLog(query: LogQuery): OpenLog {
  const { bridge } = useHost();
  const [session, setSession] = useState<LogSession | null>(null);
  useEffect(() => {
    const end = new AbortController();
    const { signal } = end;
    const opened = new LogSession(
      {
        page: (args) => bridge.call("activity.page", args),
        after: (delay_ms, task) => setTimeout(task, delay_ms),
        signal,
      },
      query,
    );
    bridge.on("activity.changed", (row) => opened.accept(row), signal);
    const onVisible = () => opened.setVisible(document.visibilityState === "visible");
    document.addEventListener("visibilitychange", onVisible, { signal });
    opened.start();
    setSession(opened);
    return () => end.abort();
  }, [bridge, query]);
  // What happened without a connection was not reported.
  useReconnected(() => session?.catchUp());
  const state = useStore(session?.store ?? NOT_OPEN);
  return { session, state };
}
