import { hash } from "node:crypto";

/** Pseudo-random numbers, the same for the same seed (mulberry32, public domain). */
export class RandomNumbers {
  #state: number;

  constructor(seed: number | string) {
    const bits = typeof seed === "number" ? seed : Number(`0x${hash("sha256", seed).slice(0, 8)}`);
    this.#state = bits >>> 0;
  }

  /** 32 bits. */
  bits(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return (mixed ^ (mixed >>> 14)) >>> 0;
  }

  /** 0 ≤ value < 1. */
  unit(): number {
    return this.bits() / 2 ** 32;
  }

  /** 0 ≤ value < `end`, a whole number. */
  below(end: number): number {
    return Math.floor(this.unit() * end);
  }

  /** A whole number from `least` to `most`, inclusive. */
  between(least: number, most: number): number {
    return least + this.below(most - least + 1);
  }

  pick<T>(from: readonly [T, ...T[]]): T {
    return from[this.below(from.length)] ?? from[0];
  }

  /** Lowercase. */
  hex(digits: number): string {
    let text = "";
    while (text.length < digits) text += this.bits().toString(16).padStart(8, "0");
    return text.slice(0, digits);
  }

  /** One of the values, chosen with the given weights. */
  weighted<T>(choices: readonly (readonly [T, number])[]): T {
    let left = this.unit() * choices.reduce((sum, [, weight]) => sum + weight, 0);
    for (const [value, weight] of choices) {
      left -= weight;
      if (left < 0) return value;
    }
    const last = choices.at(-1);
    if (last === undefined) throw new RangeError("nothing to choose from");
    return last[0];
  }
}
