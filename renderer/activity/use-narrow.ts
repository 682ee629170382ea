import { useSyncExternalStore } from "react";

/** Below this width a line is a card. The same width is in styles/activity.css. */
const NARROW = "(max-width: 60rem)";

function subscribe(listener: () => void): () => void {
  const narrow = matchMedia(NARROW);
  narrow.addEventListener("change", listener);
  return () => narrow.removeEventListener("change", listener);
}

export const useNarrow = (): boolean =>
  useSyncExternalStore(subscribe, () => matchMedia(NARROW).matches);
