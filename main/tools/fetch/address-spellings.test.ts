import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { checkTarget } from "./follow.ts";

type Octets = readonly [number, number, number, number];

const octet = fc.nat(255);
const within = (low: Octets, high: Octets): fc.Arbitrary<Octets> =>
  fc.tuple(
    ...(low.map((from, index) => fc.integer({ min: from, max: high[index] ?? from })) as [
      fc.Arbitrary<number>,
      fc.Arbitrary<number>,
      fc.Arbitrary<number>,
      fc.Arbitrary<number>,
    ]),
  );

/** The ranges again, as octets, so that a mistake in the table's prefixes is not repeated here. */
const refusedV4 = fc.oneof(
  within([0, 0, 0, 0], [0, 255, 255, 255]),
  within([10, 0, 0, 0], [10, 255, 255, 255]),
  within([100, 64, 0, 0], [100, 127, 255, 255]),
  within([127, 0, 0, 0], [127, 255, 255, 255]),
  within([169, 254, 0, 0], [169, 254, 255, 255]),
  within([172, 16, 0, 0], [172, 31, 255, 255]),
  within([192, 0, 0, 0], [192, 0, 0, 255]),
  within([192, 0, 2, 0], [192, 0, 2, 255]),
  within([192, 168, 0, 0], [192, 168, 255, 255]),
  within([198, 18, 0, 0], [198, 19, 255, 255]),
  within([198, 51, 100, 0], [198, 51, 100, 255]),
  within([203, 0, 113, 0], [203, 0, 113, 255]),
  within([224, 0, 0, 0], [255, 255, 255, 255]),
);

const RADIX = [
  (part: number) => part.toString(10),
  (part: number) => `0${part.toString(8)}`,
  (part: number) => `0x${part.toString(16)}`,
  (part: number) => `0X${part.toString(16).toUpperCase().padStart(12, "0")}`,
];

/**
 * One to four parts, each in any radix; the last part stands for all remaining octets (inet_aton).
 */
const v4Spelling = (octets: Octets, parts: number, radix: readonly number[]): string => {
  const head = octets.slice(0, parts - 1);
  const last = octets.slice(parts - 1).reduce((sum, part) => sum * 256 + part, 0);
  return [...head, last].map((part, i) => RADIX[radix[i] ?? 0]?.(part)).join(".");
};

const hex = (high: number, low: number): string => (high * 256 + low).toString(16);
const v6Spellings = ([a, b, c, d]: Octets): readonly string[] => {
  const tail = `${hex(a, b)}:${hex(c, d)}`;
  const dotted = `${a}.${b}.${c}.${d}`;
  return [
    ...["::", "::ffff:", "::ffff:0:", "64:ff9b::", "64:ff9b:1::", "0:0:0:0:0:ffff:"].flatMap(
      (prefix) => [`[${prefix}${tail}]`, `[${prefix}${dotted}]`],
    ),
    `[2002:${tail}::1]`,
    `[2001:0:${tail}::1]`,
  ];
};

const DRESS = [
  (host: string) => host,
  (host: string) => host.replaceAll(".", "%2e"),
  (host: string) => host.replaceAll(".", "\u3002"),
  (host: string) => host.replace(/[0-9]/g, (digit) => String.fromCodePoint(0xff10 + +digit)),
  (host: string) => host.replace(/[0-9]/g, (digit) => `%3${digit}`),
  (host: string) => `${host}.`,
];

describe("an IPv4 address of a refused range", () => {
  const never = (): boolean => false;

  it("is refused in every spelling a URL can give it", () => {
    const dressed = fc.tuple(
      refusedV4,
      fc.integer({ min: 1, max: 4 }),
      fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
      fc.constantFrom(...DRESS),
      fc.constantFrom("http", "https", "HTTP"),
    );
    const property = fc.property(dressed, ([octets, parts, radix, dress, scheme]) => {
      const host = dress(v4Spelling(octets, parts, radix));
      expect(checkTarget(`${scheme}://${host}/`, null, never)).toBeNull();
    });
    fc.assert(property, { numRuns: 3000 });
  });

  it("is refused inside any IPv6 address that carries one", () => {
    const property = fc.property(refusedV4, (octets) => {
      for (const host of v6Spellings(octets)) {
        expect(checkTarget(`http://${host}/`, null, never)).toBeNull();
      }
    });
    fc.assert(property, { numRuns: 500 });
  });

  it("differs from one that is not: those pass in every spelling", () => {
    const open = fc
      .tuple(fc.integer({ min: 11, max: 99 }), octet, octet, octet)
      .map((octets): Octets => octets);
    const spelling = fc.tuple(open, fc.integer({ min: 1, max: 4 }), fc.array(fc.nat(3)));
    const property = fc.property(spelling, ([octets, parts, radix]) => {
      const url = checkTarget(`http://${v4Spelling(octets, parts, radix)}/`, null, never);
      expect(url?.hostname).toBe(octets.join("."));
    });
    fc.assert(property, { numRuns: 1000 });
  });
});
