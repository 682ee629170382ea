import { hash } from "node:crypto";

/** Pseudo-random numbers, the same for the same seed. */
export interface SeededRandom {
  /** 0 ≤ value < 1. */
  fraction(): number;
  /** A whole number from `least` to `most`, inclusive. */
  between(least: number, most: number): number;
  pick<T>(from: readonly [T, ...T[]]): T;
}

export function seededRandom(seed: string): SeededRandom {
  let count = 0;
  const fraction = (): number => {
    count += 1;
    // 48 bits, which a double holds exactly.
    return Number.parseInt(hash("sha256", `${seed} ${count}`).slice(0, 12), 16) / 2 ** 48;
  };
  const between = (least: number, most: number): number =>
    least + Math.floor(fraction() * (most - least + 1));
  return {
    fraction,
    between,
    pick: (from) => from[between(0, from.length - 1)] ?? from[0],
  };
}
