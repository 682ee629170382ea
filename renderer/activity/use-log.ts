import { useEffect, useRef, useState, useSyncExternalStore } from "react";
import { errorCode } from "../bridge/error-code.ts";
import { useHost, useShown } from "../host-context.tsx";
import type { LogQuery } from "./log-filter.ts";
import { LogSession, type LogState, UNREAD_LOG } from "./log-session.ts";

interface OpenLog {
  /** Null until the first session is open. */
  readonly session: LogSession | null;
  readonly state: LogState;
}

const noChange = () => () => {};
const unread = () => UNREAD_LOG;

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
        codeOf: errorCode,
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
  useCatchUp(session);
  const state = useSyncExternalStore(session?.subscribe ?? noChange, session?.state ?? unread);
  return { session, state };
}

/** After a reconnect, reads what was written without a connection. */
function useCatchUp(session: LogSession | null): void {
  const connected = useShown((shown) => shown.connection === "connected");
  const before = useRef(connected);
  useEffect(() => {
    if (connected && !before.current) session?.catchUp();
    before.current = connected;
  }, [connected, session]);
}
