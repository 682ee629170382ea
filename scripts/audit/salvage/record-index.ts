const FIRST_CAPACITY = 4_096;
const CELLS_PER_PAGE = 65_536;

/** Where a record was found. */
export interface Found {
  readonly seq: number;
  readonly image: number;
  readonly cell: number;
  /** Its own hash matches its content. */
  readonly sound: boolean;
}

/** Where each record lies: 21 bytes per record, so that even a whole log's index is small. */
export class RecordIndex {
  #seqs = new Float64Array(FIRST_CAPACITY);
  #places = new Float64Array(FIRST_CAPACITY);
  #sound = new Uint8Array(FIRST_CAPACITY);
  #size = 0;

  add({ seq, image, cell, sound }: Found): void {
    if (this.#size === this.#seqs.length) this.#grow();
    this.#seqs[this.#size] = seq;
    this.#places[this.#size] = image * CELLS_PER_PAGE + cell;
    this.#sound[this.#size] = sound ? 1 : 0;
    this.#size += 1;
  }

  /** By number, each number once: a valid record is preferred to any other with its number. */
  *inOrder(): Iterable<Found> {
    const order = Uint32Array.from({ length: this.#size }, (_, at) => at);
    order.sort((one, other) => this.#compare(one, other));
    let previous: number | undefined;
    for (const at of order) {
      const found = this.#found(at);
      if (found.seq !== previous) yield found;
      previous = found.seq;
    }
  }

  #compare(one: number, other: number): number {
    const seqs = (this.#seqs[one] ?? 0) - (this.#seqs[other] ?? 0);
    return seqs === 0 ? (this.#sound[other] ?? 0) - (this.#sound[one] ?? 0) : seqs;
  }

  #found(at: number): Found {
    const place = this.#places[at] ?? 0;
    return {
      seq: this.#seqs[at] ?? 0,
      image: Math.floor(place / CELLS_PER_PAGE),
      cell: place % CELLS_PER_PAGE,
      sound: this.#sound[at] === 1,
    };
  }

  #grow(): void {
    const capacity = this.#seqs.length * 2;
    const [seqs, places, sound] = [this.#seqs, this.#places, this.#sound];
    this.#seqs = new Float64Array(capacity);
    this.#seqs.set(seqs);
    this.#places = new Float64Array(capacity);
    this.#places.set(places);
    this.#sound = new Uint8Array(capacity);
    this.#sound.set(sound);
  }
}
