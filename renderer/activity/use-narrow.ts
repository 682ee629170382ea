import { useMedia } from "../parts/use-media.ts";

/** Below this width a line is a card. The same width is in styles/activity.css. */
const NARROW = "(max-width: 60rem)";

export const useNarrow = (): boolean => useMedia(NARROW);
