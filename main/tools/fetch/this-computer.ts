import { BlockList, isIP } from "node:net";

/** Loopback, and the addresses that mean any of this computer's. */
const ALWAYS = new BlockList();
ALWAYS.addSubnet("127.0.0.0", 8, "ipv4");
ALWAYS.addSubnet("0.0.0.0", 8, "ipv4");
ALWAYS.addAddress("::1", "ipv6");
ALWAYS.addAddress("::", "ipv6");

/** Whether an address, in any spelling and with or without a zone, leads to this computer. Pure. */
export function isThisComputer(address: string, ownAddresses: readonly string[]): boolean {
  const [plain, ...own] = [address, ...ownAddresses].map((each) => each.replace(/%.*$/u, ""));
  const list = new BlockList();
  for (const each of own) list.addAddress(each, familyOf(each));
  return plain !== undefined && [ALWAYS, list].some((one) => one.check(plain, familyOf(plain)));
}

const familyOf = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
