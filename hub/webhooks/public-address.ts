import { BlockList, isIP } from "node:net";

/** IPv4 outside the public internet (IANA special-purpose registry), and Azure's own service. */
const REFUSED_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 168.63.129.16/32 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4";
/** All global unicast of today; what carries an IPv4 address inside is taken out of it again. */
const GLOBAL_V6 = "2000::/3";
const REFUSED_V6 = "2001::/23 2001:db8::/32 2002::/16 3fff::/20";

const refusedV4 = blockListOf(REFUSED_V4, "ipv4");
const globalV6 = blockListOf(GLOBAL_V6, "ipv6");
const refusedV6 = blockListOf(REFUSED_V6, "ipv6");

/** Everything that is not plainly an address of the public internet is refused. */
export function isPublicAddress(address: string): boolean {
  if (address.includes("%")) return false;
  if (isIP(address) === 4) return !refusedV4.check(address, "ipv4");
  if (isIP(address) !== 6) return false;
  return globalV6.check(address, "ipv6") && !refusedV6.check(address, "ipv6");
}

const loopbackV4 = blockListOf("127.0.0.0/8", "ipv4");

export const isLoopbackAddress = (address: string): boolean =>
  address === "::1" || (isIP(address) === 4 && loopbackV4.check(address, "ipv4"));

function blockListOf(subnets: string, type: "ipv4" | "ipv6"): BlockList {
  const list = new BlockList();
  for (const subnet of subnets.split(" ")) {
    const [net = "", prefix] = subnet.split("/");
    list.addSubnet(net, Number(prefix), type);
  }
  return list;
}
