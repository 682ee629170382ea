import { isIP, type LookupFunction } from "node:net";
import { networkHostOf } from "../../app/contract/network-host.ts";
import { isElsewhere, isLoopbackAddress } from "../../runtime/net/addresses.ts";
import { lookupBy, type NetworkView, systemNetwork } from "../../runtime/net/look-up.ts";
import { isLoopbackHost } from "./webhook-url.ts";

/** The addresses a delivery may go to as things are now: this computer's own only where the URL says so. */
function reachable(url: URL, network: NetworkView): (address: string) => boolean {
  if (isLoopbackHost(url)) return isLoopbackAddress;
  const own = network.ownAddresses();
  return (address) => isElsewhere(address, own);
}

/** False for a URL that names an address and no longer leads elsewhere. Nothing is looked up for it. */
export function mayCall(url: URL, network: NetworkView = systemNetwork): boolean {
  const { host } = networkHostOf(url);
  return isIP(host) === 0 || reachable(url, network)(host);
}

/**
 * Looks a name up and gives only addresses the URL may lead to, so that a name which is private
 * now, and was public when it was registered, leads nowhere.
 */
export const guardedLookup = (url: URL, network: NetworkView = systemNetwork): LookupFunction =>
  lookupBy(async (name) => (await network.lookupAll(name)).filter(reachable(url, network)));
