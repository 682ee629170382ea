import { type RefObject, useEffect, useState } from "react";
import { LIMITS } from "../../app/contract/limits.ts";

/**
 * True once the element has not moved for long enough: 500 ms after the card appears, moves or
 * comes into view, or the window gets the focus. Counting begins when the host knows that the card
 * was `seen`: the host counts too, and an approval that it finds too early would be lost. The
 * position is checked in every frame, so whatever moves the element disarms it, such as an answered
 * card, resizing or scrolling.
 */
export function useArmed(element: RefObject<HTMLElement | null>, seen: boolean): boolean {
  const [armed, setArmed] = useState(false);
  useEffect(() => {
    if (!seen) return;
    let since = performance.now();
    let place = "";
    let frame = 0;
    const disturb = (): void => {
      since = performance.now();
      setArmed(false);
    };
    const look = (): void => {
      const rect = element.current?.getBoundingClientRect();
      const now = rect === undefined ? "" : `${rect.left} ${rect.top}`;
      if (now !== place) {
        place = now;
        disturb();
      } else if (performance.now() - since >= LIMITS.approvalInertMs) {
        setArmed(true);
      }
      frame = requestAnimationFrame(look);
    };
    const listening = new AbortController();
    const { signal } = listening;
    window.addEventListener("focus", disturb, { signal });
    document.addEventListener("visibilitychange", disturb, { signal });
    frame = requestAnimationFrame(look);
    return () => {
      listening.abort();
      cancelAnimationFrame(frame);
    };
  }, [element, seen]);
  return armed;
}
