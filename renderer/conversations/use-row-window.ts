import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from "react";
import { type Anchor, AT_END, anchorAt, END_PIXELS, isSameAnchor, viewOf } from "./anchor.ts";
import { RowHeights, type Run, runsOf } from "./row-window.ts";

/** Pixels a message is tall before any was measured. */
const GUESS = 88;
/** The first view, before the list was measured. */
const FIRST_HEIGHT = 900;

export interface RowWindow {
  readonly scroller: RefObject<HTMLElement | null>;
  readonly list: RefObject<HTMLOListElement | null>;
  readonly runs: readonly Run[];
  readonly atEnd: boolean;
  /** Pixels between the first row and the view. */
  readonly above: number;
  readonly toEnd: () => void;
}

/**
 * Draws of a long list what is near the view. Rows may have any height: they are measured when
 * drawn, and whatever changes, the row that is being read stays where it is.
 */
export function useRowWindow(keys: readonly string[]): RowWindow {
  const scroller = useRef<HTMLElement>(null);
  const list = useRef<HTMLOListElement>(null);
  const [heights] = useState(() => new RowHeights(GUESS));
  const [anchor, setAnchor] = useState<Anchor>(AT_END);
  const [height, setHeight] = useState(FIRST_HEIGHT);
  const [, remeasured] = useState(0);
  const pinned = usePinned(list);
  const view = viewOf(keys, heights, anchor, height);

  const settle = useCallback((): void => {
    const box = scroller.current;
    const rows = list.current;
    if (box === null || rows === null) return;
    if (measureRows(rows, heights)) remeasured((count) => count + 1);
    if (anchor.kind === "end") {
      box.scrollTop = box.scrollHeight;
      return;
    }
    const moved = movedBy(box, rows, anchor);
    if (Math.abs(moved) >= 1) box.scrollTop += moved;
  }, [anchor, heights]);

  // Every drawing may have changed what is above the place that is being read.
  useLayoutEffect(settle);

  const looked = useRef({ keys, settle });
  useLayoutEffect(() => {
    looked.current = { keys, settle };
  });
  useEffect(() => {
    const box = scroller.current;
    const rows = list.current;
    if (box === null || rows === null) return;
    const end = new AbortController();
    const look = (): void => {
      const top = box.scrollTop - rows.offsetTop;
      const isEnd = box.scrollHeight - box.scrollTop - box.clientHeight < END_PIXELS;
      const next = isEnd
        ? AT_END
        : (drawnAnchor(box, rows) ??
          anchorAt(looked.current.keys, heights, { top, height: box.clientHeight }));
      setAnchor((before) => (isSameAnchor(before, next) ? before : next));
    };
    box.addEventListener("scroll", look, { passive: true, signal: end.signal });
    const resized = new ResizeObserver(() => {
      setHeight(box.clientHeight);
      looked.current.settle();
    });
    resized.observe(box);
    for (const child of box.children) resized.observe(child);
    return () => {
      end.abort();
      resized.disconnect();
    };
  }, [heights]);

  const toEnd = useCallback(() => setAnchor(AT_END), []);
  return {
    scroller,
    list,
    runs: runsOf(keys, heights, view, pinned),
    atEnd: anchor.kind === "end",
    above: view.top,
    toEnd,
  };
}

function measureRows(rows: HTMLElement, heights: RowHeights): boolean {
  let news = false;
  for (const row of rowsIn(rows)) {
    const { key } = row.dataset;
    if (key !== undefined && heights.measure(key, row.getBoundingClientRect().height)) news = true;
  }
  return news;
}

const rowsIn = (rows: HTMLElement): NodeListOf<HTMLElement> =>
  rows.querySelectorAll<HTMLElement>(":scope > [data-key]");

const below = (box: HTMLElement, row: HTMLElement): number =>
  row.getBoundingClientRect().top - box.getBoundingClientRect().top;

/** How far the row has moved from its place; 0 where it is not drawn. */
function movedBy(box: HTMLElement, rows: HTMLElement, anchor: Anchor & { kind: "row" }): number {
  const row = [...rowsIn(rows)].find(({ dataset }) => dataset.key === anchor.key);
  return row === undefined ? 0 : below(box, row) - anchor.offset;
}

/** The row at the upper edge, as it is drawn; null where there is a gap. */
function drawnAnchor(box: HTMLElement, rows: HTMLElement): Anchor | null {
  for (const row of rowsIn(rows)) {
    const offset = below(box, row);
    if (offset + row.getBoundingClientRect().height <= 0) continue;
    const { key } = row.dataset;
    return key === undefined || offset > box.clientHeight ? null : { kind: "row", key, offset };
  }
  return null;
}

const keyAt = (target: EventTarget | null): string | null =>
  target instanceof Element
    ? (target.closest<HTMLElement>("li[data-key]")?.dataset.key ?? null)
    : null;

/** The row that has the focus: it stays drawn, wherever the person scrolls. */
function usePinned(list: RefObject<HTMLElement | null>): string | null {
  const [pinned, setPinned] = useState<string | null>(null);
  useEffect(() => {
    const rows = list.current;
    if (rows === null) return;
    const end = new AbortController();
    const { signal } = end;
    rows.addEventListener("focusin", ({ target }) => setPinned(keyAt(target)), { signal });
    rows.addEventListener("focusout", () => setPinned(null), { signal });
    return () => end.abort();
  }, [list]);
  return pinned;
}
