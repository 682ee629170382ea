import { useEffect, useState } from "react";
import { steadyClock } from "../parts/use-now.ts";
import type { ReceivedCard } from "../state/store.ts";
import { EMPTY_PLACE_MS, nextSlots, type Slot } from "./card-slots.ts";

/** The places to draw for the cards that wait. */
export function useSlots(waiting: readonly ReceivedCard[]): readonly Slot[] {
  const [slots, setSlots] = useState<readonly Slot[]>(() => nextSlots([], waiting, steadyClock()));
  useEffect(() => {
    const settle = (): void => setSlots((before) => nextSlots(before, waiting, steadyClock()));
    settle();
    const timer = setTimeout(settle, EMPTY_PLACE_MS + 20);
    return () => clearTimeout(timer);
  }, [waiting]);
  return slots;
}
