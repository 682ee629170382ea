import { useCallback, useEffect, useState } from "react";
import type { FormerData } from "../../app/bridge/own-data-calls.ts";
import { useHost, useShown } from "../host-context.tsx";

const NOTHING: FormerData = { agents: [], logs: [] };

/** What was imported and is not used here, and a function that asks for it again. */
export function useFormerData(): readonly [FormerData, () => void] {
  const { bridge } = useHost();
  const connection = useShown((shown) => shown.connection);
  const [data, setData] = useState(NOTHING);
  const read = useCallback(() => {
    // While nobody answers, what was there stays.
    bridge.call("data.former", {}).then(setData, () => {});
  }, [bridge]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again after each connect
  useEffect(read, [read, connection]);
  return [data, read];
}
