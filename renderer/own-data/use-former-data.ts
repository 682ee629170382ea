import { useCallback, useEffect, useState } from "react";
import type { FormerData } from "../../app/bridge/own-data-calls.ts";
import { useHost } from "../host-context.tsx";

const NOTHING: FormerData = { agents: [], logs: [] };

/** What was imported and is not used here, and a function that asks for it again. */
export function useFormerData(): readonly [FormerData, () => void] {
  const { bridge } = useHost();
  const [data, setData] = useState(NOTHING);
  const read = useCallback(() => {
    // While nobody answers, nothing is listed.
    bridge.call("data.former", {}).then(setData, () => setData(NOTHING));
  }, [bridge]);
  useEffect(read, [read]);
  return [data, read];
}
