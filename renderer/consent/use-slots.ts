import { useEffect, useState } from "react";
import { steadyClock } from "../parts/use-now.ts";
import type { ReceivedCard } from "../state/store.ts";
import { closesUpAt, nextSlots, type Slot } from "./card-slots.ts";

/** The places to draw for the cards that wait. */
export function useSlots(waiting: readonly ReceivedCard[]): readonly Slot[] {
  const [slots, setSlots] = useState<readonly Slot[]>(() => nextSlots([], waiting, steadyClock()));
  useEffect(() => setSlots((before) => nextSlots(before, waiting, steadyClock())), [waiting]);
  useEffect(() => {
    // Set anew as long as a place is empty: on a busy machine it may turn empty later than meant.
    const closing = closesUpAt(slots);
    if (closing === null) return;
    const timer = setTimeout(
      () => setSlots((before) => nextSlots(before, waiting, steadyClock())),
      Math.max(0, closing - steadyClock()),
    );
    return () => clearTimeout(timer);
  }, [slots, waiting]);
  return slots;
}
