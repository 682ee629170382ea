interface Range {
  first: number;
  last: number;
}

/**
 * Which `conversation_seq` numbers of one conversation are known. Stored as ranges: there are
 * hardly any gaps, so even a long conversation takes a few numbers only.
 */
export class SeenSeqs {
  /** Disjoint, never adjacent, ascending. */
  readonly #ranges: Range[] = [];

  /** @returns false if the number was already known */
  add(seq: number): boolean {
    let at = this.#ranges.length;
    // Searched from the end: a new number nearly always extends the last range.
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

  /** How many ranges are stored; memory use depends on it. */
  get size(): number {
    return this.#ranges.length;
  }
}
