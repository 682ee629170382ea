import type { GroupCommit } from "./group-commit.ts";

/** A revocation. */
interface Taking<V> {
  concerns(key: string): boolean;
  /** Set if the revocation is a value itself, such as a standing refusal. */
  readonly key?: string;
  /** What it concerns; a later grant with the same topic ends it. */
  readonly topic: string;
  readonly narrow: (value: V | undefined) => V | undefined;
}

export interface Take<V> extends Taking<V> {
  /** Runs inside the transaction. */
  readonly write: () => void;
}

/** A grant. */
export interface Gift<V> {
  readonly key: string;
  readonly topic: string;
  readonly widen: (value: V | undefined) => V | undefined;
  /** Runs inside the transaction. */
  readonly write: () => void;
}

/** The topic of a grant that replaces the whole value. */
export const WHOLE = "whole";

/**
 * Values in memory and their rows. A grant takes effect once it is durable; a revocation at once,
 * while its row is being written, and even if that fails (fail closed). A grant that is still being
 * stored does not undo a later revocation.
 */
export class GuardedMap<V> {
  readonly #group: GroupCommit;
  readonly #durable: Map<string, V>;
  readonly #visible: Map<string, V>;
  readonly #placeOf: (key: string) => string;
  /** What is visible, once more by place. */
  readonly #places = new Map<string, Map<string, V>>();
  #takings: readonly Taking<V>[] = [];

  /** @param placeOf keys with the same place are read together, however many others there are */
  constructor(
    group: GroupCommit,
    entries: Iterable<readonly [string, V]>,
    placeOf: (key: string) => string = () => "",
  ) {
    this.#group = group;
    this.#placeOf = placeOf;
    this.#durable = new Map(entries);
    this.#visible = new Map(this.#durable);
    for (const [key, value] of this.#visible) this.#index(key, value);
  }

  get(key: string): V | undefined {
    return this.#visible.get(key);
  }

  values(): readonly V[] {
    return [...this.#visible.values()];
  }

  valuesAt(place: string): readonly V[] {
    return [...(this.#places.get(place)?.values() ?? [])];
  }

  async give({ key, topic, widen, write }: Gift<V>): Promise<void> {
    const earlier = new Set(this.#takings);
    await this.#group.enqueue(write);
    // The remaining revocations could not be stored; this grant ends them, for its own key only.
    this.#takings = this.#takings.map((taking) =>
      earlier.has(taking) && (topic === WHOLE || topic === taking.topic)
        ? { ...taking, concerns: (other) => other !== key && taking.concerns(other) }
        : taking,
    );
    put(this.#durable, key, widen(this.#durable.get(key)));
    this.#refresh(key);
  }

  async take(take: Take<V>): Promise<void> {
    this.#takings = [...this.#takings, take];
    this.#refreshAll(take);
    await this.#group.enqueue(take.write);
    this.#takings = this.#takings.filter((taking) => taking !== take);
    for (const key of this.#keysOf(take))
      put(this.#durable, key, take.narrow(this.#durable.get(key)));
    this.#refreshAll(take);
  }

  /** A change derived from something stored elsewhere, or one that may be lost. */
  amend(key: string, change: (value: V) => V | undefined): void {
    const value = this.#durable.get(key);
    if (value === undefined) return;
    put(this.#durable, key, change(value));
    this.#refresh(key);
  }

  #keysOf(taking: Taking<V>): readonly string[] {
    const keys = new Set([...this.#durable.keys(), ...this.#visible.keys()]);
    if (taking.key !== undefined) keys.add(taking.key);
    return [...keys].filter((key) => taking.concerns(key));
  }

  #refreshAll(taking: Taking<V>): void {
    for (const key of this.#keysOf(taking)) this.#refresh(key);
  }

  #refresh(key: string): void {
    const narrowed = this.#takings
      .filter((taking) => taking.concerns(key))
      .reduce((value, taking) => taking.narrow(value), this.#durable.get(key));
    put(this.#visible, key, narrowed);
    this.#index(key, narrowed);
  }

  #index(key: string, value: V | undefined): void {
    const place = this.#placeOf(key);
    const those = this.#places.get(place) ?? new Map<string, V>();
    put(those, key, value);
    if (those.size === 0) this.#places.delete(place);
    else this.#places.set(place, those);
  }
}

function put<V>(map: Map<string, V>, key: string, value: V | undefined): void {
  if (value === undefined) map.delete(key);
  else map.set(key, value);
}
