import { useEffect, useEffectEvent, useRef } from "react";
import { useShown } from "../host-context.tsx";

/** Runs it whenever the connection to the host is there again. */
export function useReconnected(run: () => void): void {
  const connected = useShown((shown) => shown.connection === "connected");
  const before = useRef(connected);
  const reconnected = useEffectEvent(run);
  useEffect(() => {
    if (connected && !before.current) reconnected();
    before.current = connected;
  }, [connected]);
}
