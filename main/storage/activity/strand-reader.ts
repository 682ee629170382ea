import type { Database, Statement } from "better-sqlite3";
import type { Strand } from "./facet-choice.ts";
import type { Bounds } from "./seq-bounds.ts";

type Stretch = [facet: number, above: number, below: number];

/** Numbers of lines by strand, from indexes in the same order. */
export class StrandReader {
  readonly #newest: Statement<Stretch, number>;
  readonly #newestOdd: Statement<[...Stretch, number], number>;
  readonly #some: Statement<[...Stretch, number], number>;
  readonly #someOdd: Statement<[...Stretch, number, number], number>;

  constructor(db: Database) {
    const facet = "FROM activity_lines WHERE facet_id = ? AND seq > ? AND seq < ?";
    const odd = "FROM odd_names WHERE facet_id = ? AND seq > ? AND seq < ? AND name_head = ?";
    const number = <Args extends unknown[]>(sql: string) => db.prepare<Args, number>(sql).pluck();
    this.#newest = number(`SELECT seq ${facet} ORDER BY seq DESC LIMIT 1`);
    this.#newestOdd = number(`SELECT seq ${odd} ORDER BY seq DESC LIMIT 1`);
    this.#some = number(`SELECT seq ${facet} ORDER BY seq DESC LIMIT ?`);
    this.#someOdd = number(`SELECT seq ${odd} ORDER BY seq DESC LIMIT ?`);
  }

  /**
   * The newest lines of all the strands together.
   *
   * A page of n lines can only come from the n strands with the newest lines, and from each only
   * lines newer than the n-th found so far. So this takes one look-up per strand, and little more
   * than the page itself.
   */
  newest(strands: readonly Strand[], bounds: Bounds, limit: number): readonly number[] {
    const heads = strands
      .map((strand) => ({ strand, seq: this.#newestOf(strand, bounds) ?? 0 }))
      .filter(({ seq }) => seq > 0)
      .sort((one, other) => other.seq - one.seq);
    let found: readonly number[] = [];
    for (const { strand, seq } of heads) {
      const last = found.length < limit ? undefined : found.at(-1);
      if (last !== undefined && seq < last) break;
      const above = Math.max(bounds.above, last ?? 0);
      const more = this.#someOf(strand, { above, below: bounds.below }, limit);
      found = merged(found, more).slice(0, limit);
    }
    return found;
  }

  #newestOf({ facet_id, name_head }: Strand, { above, below }: Bounds): number | undefined {
    return name_head === null
      ? this.#newest.get(facet_id, above, below)
      : this.#newestOdd.get(facet_id, above, below, name_head);
  }

  #someOf(strand: Strand, { above, below }: Bounds, limit: number): readonly number[] {
    const { facet_id, name_head } = strand;
    return name_head === null
      ? this.#some.all(facet_id, above, below, limit)
      : this.#someOdd.all(facet_id, above, below, name_head, limit);
  }
}

const merged = (one: readonly number[], other: readonly number[]): readonly number[] =>
  one.length === 0 ? other : [...one, ...other].sort((a, b) => b - a);
