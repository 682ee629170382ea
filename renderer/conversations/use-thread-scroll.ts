import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";

/** In pixels: this near the end counts as being there. */
const END = 40;
/** How near the beginning older messages are read, in pixels. */
const AHEAD = 1_200;

export interface ThreadScroll {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<HTMLDivElement | null>;
  /** Height in pixels of what is above the list and scrolls with it. */
  readonly above: number;
  readonly atEnd: boolean;
  readonly nearStart: boolean;
  readonly toEnd: () => void;
}

/** The scroll position: it stays at the end until the person scrolls away from it. */
export function useThreadScroll(): ThreadScroll {
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const [above, setAbove] = useState(0);
  const aboveBefore = useRef(0);
  const [atEnd, setAtEnd] = useState(true);
  const [nearStart, setNearStart] = useState(false);
  const held = useRef(true);
  /** The height at the last scroll to the end; if it has changed, nobody scrolled. */
  const settledAt = useRef(0);

  const settle = useCallback((): void => {
    const box = scroller.current;
    const rows = list.current;
    if (box === null || rows === null) return;
    const moved = rows.offsetTop - aboveBefore.current;
    aboveBefore.current = rows.offsetTop;
    setAbove(rows.offsetTop);
    if (held.current) {
      settledAt.current = box.scrollHeight;
      box.scrollTop = box.scrollHeight;
    } else if (moved !== 0 && box.scrollTop > rows.offsetTop - moved) {
      box.scrollTop += moved;
    }
    setNearStart(box.scrollTop - rows.offsetTop < AHEAD);
  }, []);

  useLayoutEffect(settle);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const end = new AbortController();
    const look = (): void => {
      const isEnd = box.scrollHeight - box.scrollTop - box.clientHeight < END;
      const hasGrown = held.current && box.scrollHeight !== settledAt.current;
      held.current = isEnd || hasGrown;
      setAtEnd(held.current);
      settle();
    };
    box.addEventListener("scroll", look, { passive: true, signal: end.signal });
    const resized = new ResizeObserver(settle);
    resized.observe(box);
    for (const child of box.children) resized.observe(child);
    return () => {
      end.abort();
      resized.disconnect();
    };
  }, [settle]);

  const toEnd = useCallback(() => {
    held.current = true;
    setAtEnd(true);
    settle();
  }, [settle]);
  return { scroller, list, above, atEnd, nearStart, toEnd };
}
