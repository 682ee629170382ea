import { lookup } from "node:dns/promises";
import { BlockList, isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { isPublicAddress } from "../../../hub/webhooks/public-address.ts";
import type { HostAllowed } from "./check-target.ts";

/** This machine's view of the network. */
export interface NetworkView {
  /** Every address of a name, in the order to try them. Rejects when it has none. */
  lookupAll(name: string): Promise<readonly string[]>;
  /** This computer's own addresses: public ones lead back to its local services too. */
  ownAddresses(): readonly string[];
}

export const systemNetwork: NetworkView = {
  async lookupAll(name) {
    const found = await lookup(name, { all: true, order: "verbatim" });
    return found.map(({ address }) => address);
  },
  ownAddresses: () =>
    Object.values(networkInterfaces()).flatMap((some) => some?.map(({ address }) => address) ?? []),
};

/**
 * The addresses to connect to, looked up once. One refused address refuses them all: an answer
 * that mixes public and private ones is an attack or a mistake. A host the person allowed is
 * taken as it is.
 * @throws ToolFailure `access_denied`; what the look-up throws
 */
export async function resolveHost(
  host: string,
  network: NetworkView,
  allowed: HostAllowed,
): Promise<readonly string[]> {
  const addresses = isIP(host) === 0 ? await network.lookupAll(host) : [host];
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw new ToolFailure("network_error");
  }
  if (allowed(host)) return addresses;
  const own = ownList(network.ownAddresses());
  for (const address of addresses) {
    if (!isPublicAddress(address) || own.check(address, family(address))) {
      throw new ToolFailure("access_denied");
    }
  }
  return addresses;
}

const family = (address: string): "ipv4" | "ipv6" => (isIP(address) === 6 ? "ipv6" : "ipv4");

function ownList(addresses: readonly string[]): BlockList {
  const list = new BlockList();
  for (const address of addresses) {
    if (isPublicAddress(address)) list.addAddress(address, family(address));
  }
  return list;
}
