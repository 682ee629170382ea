import { type RefObject, useEffect, useRef } from "react";

/** The part of the card (or of the screen, if the card is taller) that must be visible. */
const SEEN_PART = 0.6;
/** Milliseconds before the host is told again, if it could not be told or disagreed. */
const AGAIN_MS = 500;

function isSeen(entry: IntersectionObserverEntry): boolean {
  const screen = entry.rootBounds?.height ?? window.innerHeight;
  const needed = Math.min(entry.boundingClientRect.height, screen) * SEEN_PART;
  return entry.isIntersecting && entry.intersectionRect.height >= needed;
}

/**
 * Calls `onSeen` once the element is visible on a visible page (contract §3). If that returns false
 * (the host could not be told, or knows that the window is out of sight), it is called again later:
 * not every system tells a page when it comes into view.
 */
export function useSeenOnce(
  element: RefObject<HTMLElement | null>,
  onSeen: () => Promise<boolean>,
  connected: boolean,
): void {
  const told = useRef<"no" | "asking" | "yes">("no");
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    const target = element.current;
    if (target === null || !connected) return;
    let inView = false;
    let notBefore = 0;
    let frame = 0;
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        inView = entry !== undefined && isSeen(entry);
      },
      { threshold: [0, 0.2, 0.4, 0.5, SEEN_PART, 0.8, 1] },
    );
    const tell = async (): Promise<void> => {
      told.current = "asking";
      told.current = (await latest.current()) ? "yes" : "no";
      notBefore = performance.now() + AGAIN_MS;
    };
    // Checked in animation frames: a page that is not drawn has none.
    const look = (now: number): void => {
      const isDue = told.current === "no" && now >= notBefore;
      if (isDue && inView && document.visibilityState === "visible") void tell();
      if (told.current !== "yes") frame = requestAnimationFrame(look);
    };
    observer.observe(target);
    frame = requestAnimationFrame(look);
    return () => {
      observer.disconnect();
      cancelAnimationFrame(frame);
    };
  }, [element, connected]);
}
