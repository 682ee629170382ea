import { useSyncExternalStore } from "react";

/** Up to this width of the page, in rem, a line of the log is a card. */
const NARROW_REM = 56;

/** In pixels. */
export const remSize = (): number =>
  Number.parseFloat(getComputedStyle(document.documentElement).fontSize);

const page = (): HTMLElement | null => document.getElementById("content");

function follow(changed: () => void): () => void {
  const resized = new ResizeObserver(changed);
  const observed = page();
  if (observed !== null) resized.observe(observed);
  return () => resized.disconnect();
}

/** Includes the page's scroll bar: whether there is one depends on what is decided here. */
const isNarrow = (): boolean =>
  (page()?.offsetWidth ?? Number.POSITIVE_INFINITY) <= NARROW_REM * remSize();

/** Whether the page has little room beside the navigation and docked cards. */
export const useNarrow = (): boolean => useSyncExternalStore(follow, isNarrow);
