import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { LIMITS } from "../../app/contract/limits.ts";

/** Where it is reported, as in the card's own actions. */
interface ReadingTold {
  reading(request_id: string): void;
  read(request_id: string): Promise<boolean>;
}

interface CardReading {
  /** Whether the card, and its middle, go on beyond their edges. */
  readonly more: More;
  readonly moreOfBody: More;
  /** False: a high one whose end was not in sight yet (contract §3). */
  readonly mayAllow: boolean;
  /** There is more of it below. Known before the card is first drawn. */
  readonly mustScroll: boolean;
  /** The person says that they have read it. */
  readonly say: () => void;
}

/** What the person has read of a card, as far as a page can know, and as the host is told. */
export function useCardReading(
  { request_id, sensitivity }: ConsentCard,
  parts: {
    readonly element: RefObject<HTMLElement | null>;
    readonly body: RefObject<HTMLElement | null>;
    readonly seen: boolean;
  },
  actions: ReadingTold,
): CardReading {
  const more = useMore(parts.element);
  const moreOfBody = useMore(parts.body);
  // Where the middle does not scroll by itself, the card does.
  const atEnd = parts.seen && !moreOfBody.below && (moreOfBody.above || !more.below);
  const { read, say } = useReadToEnd(atEnd, () => actions.read(request_id));
  useReading(parts.element, () => actions.reading(request_id));
  const mayAllow = sensitivity !== "high" || read;
  return {
    more,
    moreOfBody,
    mayAllow,
    mustScroll: !mayAllow && (moreOfBody.below || more.below),
    say,
  };
}

/** Buttons that unfold something; what they unfold is no `<details>`, so it fires no `toggle`. */
const UNFOLDS = "[aria-expanded]:not([aria-haspopup])";

/**
 * Calls `onReading` while the person scrolls, selects or unfolds something in the element: at once,
 * then once a second at most. It holds the countdown (contract §3), so nothing else counts: a
 * pointer or a focus can rest on a card that nobody reads.
 */
function useReading(element: RefObject<HTMLElement | null>, onReading: () => void): void {
  const latest = useRef(onReading);
  latest.current = onReading;
  useEffect(() => {
    const target = element.current;
    if (target === null) return;
    let told = Number.NEGATIVE_INFINITY;
    const read = (): void => {
      const now = performance.now();
      if (now - told < LIMITS.readingToldMs) return;
      told = now;
      latest.current();
    };
    const selected = (): void => {
      const selection = document.getSelection();
      if (selection !== null && !selection.isCollapsed && target.contains(selection.anchorNode)) {
        read();
      }
    };
    const clicked = ({ target: at }: MouseEvent): void => {
      if (at instanceof Element && at.closest(UNFOLDS) !== null) read();
    };
    const listening = new AbortController();
    const { signal } = listening;
    // Neither of these bubbles.
    target.addEventListener("scroll", read, { capture: true, passive: true, signal });
    target.addEventListener("toggle", read, { capture: true, signal });
    target.addEventListener("click", clicked, { signal });
    document.addEventListener("selectionchange", selected, { signal });
    return () => listening.abort();
  }, [element]);
}

/** Milliseconds before the host is told again, if it could not be told. */
const AGAIN_MS = 500;

/** True once the host knows that the end was in sight, or that the person has read it. */
function useReadToEnd(
  atEnd: boolean,
  tell: () => Promise<boolean>,
): { readonly read: boolean; readonly say: () => void } {
  const [reached, setReached] = useState(false);
  const [read, setRead] = useState(false);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    if (atEnd) setReached(true);
  }, [atEnd]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: `tell` is for the same card always; `tries` tells again
  useEffect(() => {
    if (!reached || read) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let left = false;
    void tell().then((told) => {
      if (left) return;
      if (told) setRead(true);
      else timer = setTimeout(() => setTries((before) => before + 1), AGAIN_MS);
    });
    return () => {
      left = true;
      clearTimeout(timer);
    };
  }, [reached, read, tries]);
  return { read, say: () => setReached(true) };
}

/** Whether scrolling content continues beyond its edges. */
export interface More {
  readonly above: boolean;
  readonly below: boolean;
}

/** In pixels: positions are fractions if the page is zoomed. */
const SLACK = 1;
const NONE: More = { above: false, below: false };

function moreOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): More {
  return {
    above: scrollTop > SLACK,
    below: scrollHeight - clientHeight - scrollTop > SLACK,
  };
}

/** Watches an element's scrolling, its size and the size of its content. */
export function useMore(element: RefObject<HTMLElement | null>): More {
  const [more, setMore] = useState(NONE);
  useLayoutEffect(() => {
    const target = element.current;
    if (target === null) return;
    const look = (): void => {
      const next = moreOf(target);
      setMore((before) =>
        before.above === next.above && before.below === next.below ? before : next,
      );
    };
    look();
    const sizes = new ResizeObserver(look);
    for (const each of [target, ...target.children]) sizes.observe(each);
    target.addEventListener("scroll", look, { passive: true });
    return () => {
      sizes.disconnect();
      target.removeEventListener("scroll", look);
    };
  }, [element]);
  return more;
}

/** The part of the card (or of the screen, if the card is taller) that must be visible. */
const SEEN_PART = 0.6;
/** Milliseconds before the host is told again, if it could not be told or disagreed. */
const REPORT_AGAIN_MS = 500;

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
      notBefore = performance.now() + REPORT_AGAIN_MS;
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
