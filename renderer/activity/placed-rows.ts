import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CursorBook } from "./cursor-book.ts";

/** A line and where it stands in the list, counted from the list's first line. */
export interface PlacedRow {
  readonly id: number;
  readonly place: number;
  readonly row: ActivityRow;
}

/**
 * Lines that the list is tall enough for. A browser draws no element much taller than sixteen
 * million pixels, so a longer log moves past in shifts.
 */
export const TALLEST_ROWS = 100_000;
const SHIFT_ROWS = TALLEST_ROWS / 2;
const EDGE_ROWS = TALLEST_ROWS / 4;

/**
 * Which line of the log stands first in the list.
 * @param base as it was
 * @param first the first line on the screen, counted from the newest
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
 * Keeps the line on the screen where it is while the list moves past it. A list that gets shorter with a
 * shift is scrolled by the browser before anybody can ask where it was: so that is noted at each look.
 */
export class ShiftingView {
  #base = 0;
  #top = 0;

  /**
   * @param top how far the list is scrolled, in pixels
   * @returns the first line on the screen, counted from the newest
   */
  look(top: number, rowSize: number): number {
    this.#top = top;
    return this.#base + Math.floor(top / rowSize);
  }

  /**
   * The list was drawn beginning with line `base`.
   * @returns how far it must be scrolled now, in pixels; null: it began there before
   */
  drawn(base: number, rowSize: number): number | null {
    const moved = this.#base - base;
    if (moved === 0) return null;
    this.#base = base;
    this.#top += moved * rowSize;
    return this.#top;
  }
}

/** How many lines the list is tall. */
export const tallness = (rows: number, base: number): number =>
  Math.min(TALLEST_ROWS, Math.max(0, rows - base));

/** The lines at hand in their places, each the same object as before while its place is the same. */
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
