import { type PointerEvent, useEffect, useMemo, useState } from "react";
import { steadyClock } from "../parts/use-now.ts";
import type { ReceivedCard } from "../state/store.ts";
import { closesUpAt, nextSlots, type Slot } from "./card-slots.ts";

/** For the element that contains the slots: whether a pointer is over it. */
export interface PointerWatch {
  onPointerEnter(event: PointerEvent): void;
  onPointerMove(event: PointerEvent): void;
  onPointerLeave(): void;
}

/** The slots to draw for the waiting cards. */
export function useSlots(waiting: readonly ReceivedCard[]): {
  readonly slots: readonly Slot[];
  readonly pointer: PointerWatch;
} {
  const [slots, setSlots] = useState<readonly Slot[]>(() => nextSlots([], waiting, steadyClock()));
  const [held, setHeld] = useState(false);
  const isGone = slots.length === 0;
  useEffect(() => {
    // An element that no longer exists gets no leave event.
    if (isGone) setHeld(false);
  }, [isGone]);
  useEffect(
    () => setSlots((before) => nextSlots(before, waiting, steadyClock(), held)),
    [waiting, held],
  );
  useEffect(() => {
    // Scheduled again while a slot is empty: on a busy machine it may be removed later than
    // planned.
    const closing = closesUpAt(slots, held);
    if (closing === null) return;
    const timer = setTimeout(
      () => setSlots((before) => nextSlots(before, waiting, steadyClock(), held)),
      Math.max(0, closing - steadyClock()),
    );
    return () => clearTimeout(timer);
  }, [slots, waiting, held]);
  const pointer = useMemo(() => pointerWatch(setHeld), []);
  return { slots, pointer };
}

/** Only hovering counts: a finger does not stay over anything. */
function pointerWatch(setHeld: (held: boolean) => void): PointerWatch {
  const over = ({ pointerType }: PointerEvent): void => {
    if (pointerType !== "touch") setHeld(true);
  };
  return { onPointerEnter: over, onPointerMove: over, onPointerLeave: () => setHeld(false) };
}
