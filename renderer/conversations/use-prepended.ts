import { useEffect, useState } from "react";

/** True for the one render in which rows were added before the first, or the first was removed. */
export function usePrepended(keys: readonly string[]): boolean {
  const first = keys[0];
  const [before, setBefore] = useState(first);
  useEffect(() => setBefore(first), [first]);
  return before !== undefined && first !== before && keys.includes(before);
}
