import { type RefObject, useEffect, useState } from "react";
import { LIMITS } from "../../app/contract/limits.ts";

interface Place {
  readonly open: string | null;
  readonly justReplaced: boolean;
}

/**
 * A card that takes another one's place comes under the pointer, so presses on it count only after
 * the time that an approval waits too; the second click of a double click answers nothing. True
 * for that time: its buttons look as they are.
 */
export function useJustReplaced(list: RefObject<HTMLElement | null>, open: string | null): boolean {
  const [place, setPlace] = useState<Place>({ open, justReplaced: false });
  // While rendering, so that the new card's buttons are never drawn as if they could be pressed.
  if (place.open !== open) setPlace({ open, justReplaced: place.open !== null && open !== null });
  useEffect(() => {
    if (!place.justReplaced) return;
    const listening = new AbortController();
    const early = (event: MouseEvent): void => {
      // A click by keyboard or assistive technology has no place on the screen.
      if (event.detail === 0 || !(event.target instanceof Element)) return;
      if (!list.current?.contains(event.target) || !event.target.closest("article")) return;
      event.stopPropagation();
    };
    window.addEventListener("click", early, { signal: listening.signal, capture: true });
    const timer = setTimeout(
      () => setPlace(({ open: now }) => ({ open: now, justReplaced: false })),
      LIMITS.approvalInertMs,
    );
    return () => {
      listening.abort();
      clearTimeout(timer);
    };
  }, [list, place]);
  return place.justReplaced;
}
