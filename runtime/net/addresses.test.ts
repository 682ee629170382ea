import { describe, expect, it } from "vitest";
import { isElsewhere, isPublicAddress, isThisComputer } from "./addresses.ts";
import { HOSTILE_ADDRESSES } from "./testing/hostile-addresses.ts";

/** No addresses, or not in the usual spelling. */
const UNREADABLE = [
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

it.each([...HOSTILE_ADDRESSES, ...UNREADABLE])("refuses %j", (address) => {
  expect(isPublicAddress(address)).toBe(false);
  expect(isElsewhere(address, [])).toBe(false);
});

it.each(PUBLIC)(
  "takes %s, which is nobody's own, but not where it is this computer's",
  (address) => {
    expect(isPublicAddress(address)).toBe(true);
    expect(isElsewhere(address, ["192.168.0.2", "fe80::1%eth0"])).toBe(true);
    expect(isElsewhere(address, ["192.168.0.2", address.toLowerCase()])).toBe(false);
  },
);

describe("this computer", () => {
  it.each([
    "127.0.0.1",
    "127.9.9.9",
    "0.0.0.0",
    "::1",
    "::",
    "10.0.0.2",
    "fe80::2%eth0",
    "fe80:0::2",
  ])("is %s", (address) => {
    expect(isThisComputer(address, ["10.0.0.2", "fe80::2%eth0"])).toBe(true);
  });

  it.each(["10.0.0.3", "8.8.8.8", "fe80::3%eth0", "fd00::2"])("is not %s", (address) => {
    expect(isThisComputer(address, ["10.0.0.2", "fe80::2%eth0"])).toBe(false);
  });
});
