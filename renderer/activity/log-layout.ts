import { type Key, Layout, LayoutInfo, Rect, Size } from "react-aria-components";
import type { PlacedRow } from "./placed-rows.ts";

export interface LogLayoutOptions {
  /** A line's height in CSS pixels. */
  readonly rowSize: number;
  /** The list's height in lines, loaded or not. */
  readonly rows: number;
}

/** Places lines of equal height; lines that are not loaded leave an empty space. */
export class LogLayout extends Layout {
  #infos = new Map<Key, LayoutInfo>();
  #size = new Size();

  override update({ layoutOptions }: Parameters<Layout["update"]>[0]): void {
    const { rowSize, rows }: LogLayoutOptions = layoutOptions;
    const width = this.virtualizer?.size.width ?? 0;
    this.#infos = new Map();
    for (const { key, type, value } of this.virtualizer?.collection ?? []) {
      // The list's only items.
      const { place }: PlacedRow = value;
      const rect = new Rect(0, place * rowSize, width, rowSize);
      this.#infos.set(key, new LayoutInfo(type, key, rect));
    }
    this.#size = new Size(width, rows * rowSize);
  }

  override shouldInvalidateLayoutOptions(next: LogLayoutOptions, old: LogLayoutOptions): boolean {
    return next.rowSize !== old.rowSize || next.rows !== old.rows;
  }

  override getVisibleLayoutInfos(rect: Rect): LayoutInfo[] {
    return [...this.#infos.values()].filter(
      (info) => info.rect.intersects(rect) || this.virtualizer?.isPersistedKey(info.key),
    );
  }

  override getLayoutInfo(key: Key): LayoutInfo | null {
    return this.#infos.get(key) ?? null;
  }

  override getContentSize(): Size {
    return this.#size;
  }
}
