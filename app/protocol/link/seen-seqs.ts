interface Range {
  first: number;
  last: number;
}

/**
 * Which `conversation_seq` numbers of one conversation are known. Kept as ranges: they come
 * nearly without gaps, so a conversation of any length costs a few numbers.
 */
export class SeenSeqs {
  /** Disjoint, never adjacent, rising. */
  readonly #ranges: Range[] = [];

  /** @returns false when the number was known already */
  add(seq: number): boolean {
    let at = this.#ranges.length;
    // From the end: a new number nearly always belongs to the last range.
    while (at > 0 && (this.#ranges[at - 1]?.first ?? 0) > seq) at -= 1;
    const before = this.#ranges[at - 1];
    const after = this.#ranges[at];
    if (before !== undefined && seq <= before.last) return false;
    const joinsBefore = before !== undefined && before.last + 1 === seq;
    const joinsAfter = after !== undefined && after.first - 1 === seq;
    if (joinsBefore && joinsAfter) {
      before.last = after.last;
      this.#ranges.splice(at, 1);
    } else if (joinsBefore) before.last = seq;
    else if (joinsAfter) after.first = seq;
    else this.#ranges.splice(at, 0, { first: seq, last: seq });
    return true;
  }

  /** How many ranges are held; what memory goes by. */
  get size(): number {
    return this.#ranges.length;
  }
}
