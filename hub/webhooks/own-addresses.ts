import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isPublicAddress } from "./public-address.ts";

/** This computer's addresses of the moment: public ones lead back to its local services too. */
export const ownAddresses = (): readonly string[] =>
  Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []);

/** Whether an address leads to the public internet, and not to the computer that has `own`. */
export function isElsewhere(own: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const address of own)
    if (isPublicAddress(address)) list.addAddress(address, family(address));
  return (address) => isPublicAddress(address) && !list.check(address, family(address));
}

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");
