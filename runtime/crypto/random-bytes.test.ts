import { expect, it } from "vitest";
import { randomBytes } from "./random-bytes.ts";

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

it("gives out as many as asked for, none twice", () => {
  const seen = new Set<string>();
  for (let at = 0; at < 2_000; at += 1) {
    for (const length of [8, 12, 32, 64, 65, 5_000]) {
      const bytes = randomBytes(length);
      expect(bytes.length).toBe(length);
      seen.add(hex(bytes.subarray(0, 8)));
    }
  }
  expect(seen.size).toBe(12_000);
});

it("gives out arrays of their own, which nothing changes afterwards", () => {
  const first = randomBytes(32);
  const before = hex(first);
  expect(first.buffer.byteLength).toBe(32);
  for (let at = 0; at < 1_000; at += 1) randomBytes(32);
  expect(hex(first)).toBe(before);
});

it("can give none", () => {
  expect(randomBytes(0)).toEqual(new Uint8Array(0));
});
