import type { RowHeights, View } from "./row-window.ts";

/** What stays where it is while rows come, go and grow: the end of the list, or one row. */
export type Anchor =
  | { readonly kind: "end" }
  /** `offset`: where the row's upper edge is, below that of the view. */
  | { readonly kind: "row"; readonly key: string; readonly offset: number };

export const AT_END: Anchor = { kind: "end" };
/** As near to the end counts as at it. */
export const END_PIXELS = 40;

type Heights = Pick<RowHeights, "of">;

export function viewOf(
  keys: readonly string[],
  heights: Heights,
  anchor: Anchor,
  height: number,
): View {
  if (anchor.kind === "row" && keys.includes(anchor.key)) {
    return { top: topOf(keys, heights, anchor.key) - anchor.offset, height };
  }
  return { top: Math.max(0, topOf(keys, heights, null) - height), height };
}

/** The row at the view's upper edge holds the place. */
export function anchorAt(keys: readonly string[], heights: Heights, view: View): Anchor {
  let top = 0;
  for (const key of keys) {
    const height = heights.of(key);
    if (top + height > view.top) return { kind: "row", key, offset: top - view.top };
    top += height;
  }
  return AT_END;
}

/** Above this row; of all rows: null. */
function topOf(keys: readonly string[], heights: Heights, until: string | null): number {
  let top = 0;
  for (const key of keys) {
    if (key === until) break;
    top += heights.of(key);
  }
  return top;
}

/** Whether both name the same place to the pixel. */
export const isSameAnchor = (one: Anchor, other: Anchor): boolean =>
  one.kind === "end"
    ? other.kind === "end"
    : other.kind === "row" && one.key === other.key && one.offset === other.offset;
