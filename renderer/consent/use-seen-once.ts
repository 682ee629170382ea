import { type RefObject, useEffect, useRef } from "react";

/** The part of the card, or of the screen when the card is taller, that counts as being seen. */
const SEEN_PART = 0.6;

function isSeen(entry: IntersectionObserverEntry): boolean {
  const screen = entry.rootBounds?.height ?? window.innerHeight;
  const needed = Math.min(entry.boundingClientRect.height, screen) * SEEN_PART;
  return entry.isIntersecting && entry.intersectionRect.height >= needed;
}

/**
 * Calls `onSeen` once the element is really on the screen of a visible page. When it answers
 * false (the host could not be told) the next chance is taken.
 */
export function useSeenOnce(
  element: RefObject<HTMLElement | null>,
  onSeen: () => Promise<boolean>,
  connected: boolean,
): void {
  const told = useRef(false);
  const latest = useRef(onSeen);
  latest.current = onSeen;
  useEffect(() => {
    const target = element.current;
    if (target === null || !connected) return;
    let inView = false;
    const tell = async (): Promise<void> => {
      if (told.current || !inView || document.visibilityState !== "visible") return;
      told.current = true;
      told.current = await latest.current();
    };
    const observer = new IntersectionObserver(
      (entries) => {
        const entry = entries.at(-1);
        inView = entry !== undefined && isSeen(entry);
        void tell();
      },
      { threshold: [0, 0.2, 0.4, 0.5, SEEN_PART, 0.8, 1] },
    );
    observer.observe(target);
    const onVisibility = (): void => void tell();
    document.addEventListener("visibilitychange", onVisibility);
    return () => {
      observer.disconnect();
      document.removeEventListener("visibilitychange", onVisibility);
    };
  }, [element, connected]);
}
