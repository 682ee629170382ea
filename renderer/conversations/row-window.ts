/** Heights of rows in CSS pixels, by key: measured where a row was drawn, else taken to be average. */
export class RowHeights {
  readonly #measured = new Map<string, number>();
  #sum = 0;
  readonly #first: number;

  constructor(guess: number) {
    this.#first = guess;
  }

  /** True when this is news. */
  measure(key: string, height: number): boolean {
    const before = this.#measured.get(key);
    if (before === height) return false;
    this.#measured.set(key, height);
    this.#sum += height - (before ?? 0);
    return true;
  }

  of(key: string): number {
    return this.#measured.get(key) ?? this.#guess();
  }

  #guess(): number {
    return this.#measured.size === 0 ? this.#first : this.#sum / this.#measured.size;
  }
}

/** What is drawn of a list: rows, and gaps as tall as the rows that are left out. */
export type Run =
  | { readonly kind: "row"; readonly index: number }
  | { readonly kind: "gap"; readonly height: number; readonly before: number };

export interface View {
  readonly top: number;
  readonly height: number;
}

/** Pixels drawn beyond each end of what is seen. */
export const OVERSCAN = 600;

/**
 * The rows that are seen, and the pinned one wherever it is (it has the focus); gaps between.
 * @param pinned null: none
 */
export function runsOf(
  keys: readonly string[],
  heights: Pick<RowHeights, "of">,
  view: View,
  pinned: string | null,
): readonly Run[] {
  const runs: Run[] = [];
  const from = view.top - OVERSCAN;
  const to = view.top + view.height + OVERSCAN;
  let gap = 0;
  let top = 0;
  for (const [index, key] of keys.entries()) {
    const height = heights.of(key);
    const seen = top + height >= from && top <= to;
    top += height;
    if (!seen && key !== pinned) {
      gap += height;
      continue;
    }
    if (gap > 0) runs.push({ kind: "gap", height: gap, before: index });
    gap = 0;
    runs.push({ kind: "row", index });
  }
  if (gap > 0) runs.push({ kind: "gap", height: gap, before: keys.length });
  return runs;
}
