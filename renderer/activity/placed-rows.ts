import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CursorBook } from "./cursor-book.ts";

/** A line and its position in the list, counted from the list's first line. */
export interface PlacedRow {
  readonly id: number;
  readonly place: number;
  readonly row: ActivityRow;
}

/**
 * The list's maximum height in lines. Browsers cannot draw elements much taller than sixteen
 * million pixels, so a longer log is shown in shifted sections.
 */
export const TALLEST_ROWS = 100_000;
const SHIFT_ROWS = TALLEST_ROWS / 2;
const EDGE_ROWS = TALLEST_ROWS / 4;

/**
 * Which line of the log is first in the list.
 * @param base the current one
 * @param first the first visible line, counted from the newest
 */
export function shiftedBase(base: number, first: number): number {
  const place = first - base;
  if (place > TALLEST_ROWS - EDGE_ROWS) {
    return base + SHIFT_ROWS * Math.ceil((place - TALLEST_ROWS + EDGE_ROWS) / SHIFT_ROWS);
  }
  if (place < EDGE_ROWS && base > 0) {
    return Math.max(0, base - SHIFT_ROWS * Math.ceil((EDGE_ROWS - place) / SHIFT_ROWS));
  }
  return base;
}

/**
 * Keeps the visible lines where they are when the list is shifted. If shifting makes the list
 * shorter, the browser scrolls it before its position can be read; so the position is recorded
 * every time it changes.
 */
export class ShiftingView {
  #base = 0;
  #top = 0;

  /**
   * @param top how far the list is scrolled, in pixels
   * @returns the first visible line, counted from the newest
   */
  look(top: number, rowSize: number): number {
    this.#top = top;
    return this.#base + Math.floor(top / rowSize);
  }

  /**
   * The list was drawn with line `base` first.
   * @returns the scroll position it needs now, in pixels; null if `base` has not changed
   */
  drawn(base: number, rowSize: number): number | null {
    const moved = this.#base - base;
    if (moved === 0) return null;
    this.#base = base;
    this.#top += moved * rowSize;
    return this.#top;
  }
}

/** The list's height in lines. */
export const tallness = (rows: number, base: number): number =>
  Math.min(TALLEST_ROWS, Math.max(0, rows - base));

/**
 * The loaded lines with their positions. A line keeps its object while its position is the same.
 */
export class RowPlacer {
  #placed = new WeakMap<ActivityRow, PlacedRow>();

  placed(book: CursorBook, base: number): readonly PlacedRow[] {
    const rows: PlacedRow[] = [];
    let start = -base;
    for (const page of book) {
      for (const [at, row] of (page.rows ?? []).entries()) {
        const place = start + at;
        if (place >= 0 && place < TALLEST_ROWS) rows.push(this.#at(row, place));
      }
      start += page.count;
    }
    return rows;
  }

  #at(row: ActivityRow, place: number): PlacedRow {
    const known = this.#placed.get(row);
    if (known?.place === place) return known;
    const placed = { id: row.line_id, place, row };
    this.#placed.set(row, placed);
    return placed;
  }
}
