import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { isElsewhere, ownAddresses } from "../../../hub/webhooks/own-addresses.ts";
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
  ownAddresses,
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
  if (!addresses.every(isElsewhere(network.ownAddresses()))) throw new ToolFailure("access_denied");
  return addresses;
}
