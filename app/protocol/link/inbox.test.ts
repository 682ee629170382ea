import { describe, expect, it } from "vitest";
import { SeenSeqs } from "./inbox.ts";

describe("SeenSeqs", () => {
  it("knows exactly the numbers it was given, in whatever order they came", () => {
    const seen = new SeenSeqs();
    const order = [5, 3, 9, 4, 1, 8, 2, 20, 7, 6];
    expect(order.map((seq) => seen.add(seq))).toEqual(order.map(() => true));
    expect(order.map((seq) => seen.add(seq))).toEqual(order.map(() => false));
    expect(seen.add(10)).toBe(true);
    expect(seen.add(19)).toBe(true);
  });

  it("holds a long conversation without gaps as one range", () => {
    const seen = new SeenSeqs();
    for (let seq = 1; seq <= 5000; seq += 1) seen.add(seq);
    expect(seen.size).toBe(1);
    seen.add(5002);
    expect(seen.size).toBe(2);
    seen.add(5001);
    expect(seen.size).toBe(1);
  });
});
