import { expect, test } from "vitest";
import { pairingCode, randomBase62, randomText } from "./random-text.ts";

test("bytes that would favour some characters are thrown away", () => {
  const feed = [255, 250, 248, 247, 0, 61];
  const random = (count: number): Uint8Array => Uint8Array.from(feed.splice(0, count));
  // 248 = 4 × 62: 248 and above are unfair, 247 is the alphabet's last character.
  expect(randomBase62(random, 3)).toBe("z0z");
});

test("every character of an alphabet is equally likely over all fair bytes", () => {
  const counts = new Map<string, number>();
  for (let byte = 0; byte < 256; byte += 1) {
    const feed = [byte, 0];
    const text = randomText(
      () => Uint8Array.of(feed.shift() ?? 0),
      "abcdefghijklmnopqrstuvwxyz",
      1,
    );
    if (byte < 234) counts.set(text, (counts.get(text) ?? 0) + 1);
  }
  expect(new Set(counts.values())).toEqual(new Set([9]));
});

test("a pairing code has no characters that are mistaken for others", () => {
  let next = 0;
  const random = (count: number): Uint8Array => Uint8Array.from({ length: count }, () => next++);
  for (let round = 0; round < 200; round += 1) {
    expect(pairingCode(random)).toMatch(/^[2-9A-HJKMNP-Z]{3}-[2-9A-HJKMNP-Z]{3}$/);
  }
});
