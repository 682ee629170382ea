import { lookup } from "node:dns/promises";
import { BlockList, isIP, type LookupFunction } from "node:net";
import { networkInterfaces } from "node:os";

/**
 * IPv4 outside the public internet (IANA special-purpose registry): this network, private use,
 * shared (CGNAT), loopback, link-local with the clouds' metadata services, protocol assignments,
 * documentation, 6to4 relays, benchmarks, multicast, reserved and broadcast. 168.63.129.16 is
 * Azure's internal service behind a public address.
 */
const REFUSED_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "168.63.129.16/32",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
];

/**
 * All global unicast currently assigned. Loopback, `::`, IPv4-mapped and -compatible, NAT64, unique
 * local, link-local and multicast lie outside it.
 */
const GLOBAL_V6 = "2000::/3";

/** Protocol assignments with Teredo and ORCHID, documentation, 6to4, and documentation again. */
const REFUSED_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

const refusedV4 = blockListOf(REFUSED_V4, "ipv4");
const globalV6 = blockListOf([GLOBAL_V6], "ipv6");
const refusedV6 = blockListOf(REFUSED_V6, "ipv6");

/**
 * Whether an address belongs to the public internet. Everything else is refused, including what is
 * no address, has a zone, or is not in the usual spelling. Addresses with an embedded IPv4 address
 * (NAT64, 6to4, Teredo) are always refused. Pure.
 */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  switch (isIP(address)) {
    case 4:
      return !refusedV4.check(address, "ipv4");
    case 6:
      return globalV6.check(address, "ipv6") && !refusedV6.check(address, "ipv6");
    default:
      return false;
  }
}

const loopbackV4 = blockListOf(["127.0.0.0/8"], "ipv4");

export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && loopbackV4.check(address, "ipv4"));

/** This computer's current addresses: even public ones lead back to its local services. */
const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []);

/** Loopback, and the addresses that mean any address of this computer. */
const anyOfOurs = blockListOf(["127.0.0.0/8", "0.0.0.0/8"], "ipv4");
for (const address of ["::1", "::"]) anyOfOurs.addAddress(address, "ipv6");

/**
 * Whether an address, in any spelling and with or without a zone, leads to the computer with the
 * addresses `own`. Pure.
 */
export function isThisComputer(address: string, own: readonly string[]): boolean {
  const [plain = "", ...ours] = [address, ...own].map((each) => each.replace(/%.*$/u, ""));
  const list = new BlockList();
  for (const each of ours) list.addAddress(each, family(each));
  return [anyOfOurs, list].some((one) => one.check(plain, family(plain)));
}

/**
 * Whether an address leads to the public internet, and not to the computer with the addresses
 * `own`. Pure.
 */
export const isElsewhere = (address: string, own: readonly string[]): boolean =>
  isPublicAddress(address) && !isThisComputer(address, own);

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

function blockListOf(subnets: readonly string[], type: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets) {
    const [net = "", prefix] = subnet.split("/");
    list.addSubnet(net, Number(prefix), type);
  }
  return list;
}

/** This machine's view of the network. */
export interface NetworkView {
  /** Every address of a name, in the order to try them. Rejects if it has none. */
  lookupAll(name: string): Promise<readonly string[]>;
  /** This computer's own addresses: even public ones lead back to its local services. */
  ownAddresses(): readonly string[];
}

export const systemNetwork: NetworkView = {
  async lookupAll(name) {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  },
  ownAddresses,
};

/**
 * For `connect`: the addresses that `find` returns for a host, and no others. They are looked up
 * once and used as checked, so they cannot be rebound in between. `connect` looks up names only:
 * check a literal address beforehand.
 */
export const lookupBy =
  (find: (host: string) => Promise<readonly string[]>): LookupFunction =>
  (host, options, answer) => {
    find(host).then(
      (addresses) => {
        const all = addresses.map((address) => ({ address, family: isIP(address) }));
        const [first] = all;
        if (first === undefined) answer(new Error("no_address"), "");
        else if (options.all === true) answer(null, all);
        else answer(null, first.address, first.family);
      },
      (error: NodeJS.ErrnoException) => answer(error, ""),
    );
  };
