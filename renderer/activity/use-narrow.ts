import { useSyncExternalStore } from "react";

/** Up to this width of the page, in rem, a line of the log is a card. */
const NARROW_REM = 56;

const page = (): HTMLElement | null => document.getElementById("content");

function follow(changed: () => void): () => void {
  const resized = new ResizeObserver(changed);
  const observed = page();
  if (observed !== null) resized.observe(observed);
  return () => resized.disconnect();
}

/** Includes the page's scroll bar: whether there is one depends on what is decided here. */
function isNarrow(): boolean {
  const rem = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
  return (page()?.offsetWidth ?? Number.POSITIVE_INFINITY) <= NARROW_REM * rem;
}

/** Whether the page has little room beside the navigation and docked cards. */
export const useNarrow = (): boolean => useSyncExternalStore(follow, isNarrow);
