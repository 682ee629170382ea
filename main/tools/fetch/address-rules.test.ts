import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isPublicAddress } from "./address-rules.ts";
import { checkTarget } from "./check-target.ts";

const REFUSED = [
  ...["0.0.0.0", "0.0.0.1", "0.255.255.255"],
  ...["10.0.0.0", "10.0.0.1", "10.255.255.255"],
  ...["100.64.0.0", "100.100.100.200", "100.127.255.255"],
  ...["127.0.0.0", "127.0.0.1", "127.1.2.3", "127.255.255.255"],
  ...["168.63.129.16"],
  ...["169.254.0.0", "169.254.169.254", "169.254.170.2", "169.254.255.255"],
  ...["172.16.0.0", "172.17.0.1", "172.31.255.255"],
  ...["192.0.0.0", "192.0.0.170", "192.0.0.255", "192.0.2.0", "192.0.2.255"],
  ...["192.88.99.0", "192.88.99.1", "192.88.99.255"],
  ...["192.168.0.0", "192.168.1.1", "192.168.255.255"],
  ...["198.18.0.0", "198.19.255.255", "198.51.100.0", "198.51.100.255"],
  ...["203.0.113.0", "203.0.113.255"],
  ...["224.0.0.0", "224.0.0.251", "239.255.255.250", "239.255.255.255"],
  ...["240.0.0.0", "254.1.2.3", "255.255.255.254", "255.255.255.255"],
  ...["::", "::1", "0:0:0:0:0:0:0:1", "::2", "::ffff"],
  // IPv4 inside: compatible, mapped (both spellings), translated, NAT64 twice, 6to4, Teredo.
  ...["::127.0.0.1", "::8.8.8.8", "::7f00:1", "::ffff:127.0.0.1", "::ffff:7f00:1"],
  ...["::ffff:10.0.0.1", "::ffff:8.8.8.8", "::FFFF:169.254.169.254", "0:0:0:0:0:ffff:a00:1"],
  ...["::ffff:0:127.0.0.1", "::ffff:0:0", "64:ff9b::127.0.0.1", "64:ff9b::a9fe:a9fe"],
  ...["64:ff9b::8.8.8.8", "64:ff9b:1::1", "64:ff9b:1:ffff::10.0.0.1"],
  ...["2002::", "2002:7f00:1::", "2002:a9fe:a9fe::1", "2002:808:808::1", "2002:ffff::"],
  ...["2001::", "2001:0:7f00:1::", "2001:0:4136:e378:8000:63bf:80ff:fffe", "2001:2::1"],
  ...["2001:10::1", "2001:20::1", "2001:1ff:ffff::1", "2001:db8::", "2001:db8:ffff::1"],
  ...["3fff::1", "3fff:fff::1", "5f00::1", "100::1", "1::1", "4000::1"],
  ...["fc00::", "fc00::1", "fd00:ec2::254", "fdff:ffff::1"],
  ...["fe80::", "fe80::1", "fe80::1%eth0", "febf::1", "fec0::1", "feff::1"],
  ...["ff00::", "ff02::1", "ff02::fb", "ff0e::1", "ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff"],
  // No address at all, or not in the usual spelling.
  ...["", " ", "localhost", "127.1", "2130706433", "0x7f000001", "0177.0.0.1", "08.8.8.8"],
  ...["8.8.8", "8.8.8.8.", " 8.8.8.8", "8.8.8.8/8", "8.8.8.256", "[::1]", "2600::1%1", "::g"],
];

const PUBLIC = [
  ...["1.1.1.1", "8.8.8.8", "9.255.255.255", "11.0.0.0", "100.63.255.255", "100.128.0.0"],
  ...["126.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.17", "169.253.255.255"],
  ...["169.255.0.0", "172.15.255.255", "172.32.0.0", "191.255.255.255", "192.0.1.0", "192.0.3.0"],
  ...["192.88.98.255", "192.88.100.0", "192.167.255.255", "192.169.0.0", "198.17.255.255"],
  ...["198.20.0.0", "198.51.99.255", "198.51.101.0", "203.0.112.255", "203.0.114.0"],
  ...["223.255.255.255"],
  ...["2000::1", "2001:200::1", "2001:4860:4860::8888", "2001:db7:ffff::1", "2001:db9::1"],
  ...["2003::1", "2400:cb00::1", "2606:4700:4700::1111", "2A00:1450::1", "3ffe:ffff::1"],
];

it.each(REFUSED)("refuses %j", (address) => {
  expect(isPublicAddress(address)).toBe(false);
});

it.each(PUBLIC)("takes %s, which is nobody's own", (address) => {
  expect(isPublicAddress(address)).toBe(true);
});

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

/** The ranges once more, as octets: a slip in the table's prefixes would not be repeated here. */
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

/** One to four parts, each in any radix: the last one stands for all that is left (inet_aton). */
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
