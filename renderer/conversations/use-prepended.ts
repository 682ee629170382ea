import { useEffect, useState } from "react";

/** True for the one drawing in which rows came in before the first, or it went. */
export function usePrepended(keys: readonly string[]): boolean {
  const first = keys[0];
  const [before, setBefore] = useState(first);
  useEffect(() => setBefore(first), [first]);
  return before !== undefined && first !== before && keys.includes(before);
}
