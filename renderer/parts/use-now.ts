import { useEffect, useState } from "react";

/** `clock()` at the last tick; every tick renders again. */
export function useNow(clock: () => number, every_ms: number): number {
  const [now, setNow] = useState(clock);
  useEffect(() => {
    const timer = setInterval(() => setNow(clock()), every_ms);
    return () => clearInterval(timer);
  }, [clock, every_ms]);
  return now;
}

export const wallClock = (): number => Date.now();
export const steadyClock = (): number => performance.now();
