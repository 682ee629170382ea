import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isElsewhere, ownAddresses } from "./own-addresses.ts";
import { isLoopbackAddress } from "./public-address.ts";
import { hostOf, isLoopbackHost } from "./webhook-url.ts";

/** The addresses a delivery may go to as things are now: this computer's own only where the URL says so. */
const reachable = (url: URL): ((address: string) => boolean) =>
  isLoopbackHost(url) ? isLoopbackAddress : isElsewhere(ownAddresses());

/** False for a URL that names an address and no longer leads elsewhere. Nothing is looked up for it. */
export function mayCall(url: URL): boolean {
  const host = hostOf(url);
  return isIP(host) === 0 || reachable(url)(host);
}

/**
 * Looks a name up and gives only addresses the URL may lead to, so that a name which is private
 * now, and was public when it was registered, leads nowhere.
 */
export function guardedLookup(url: URL, lookup: LookupFunction = systemLookup): LookupFunction {
  const mayReach = reachable(url);
  return (hostname, options, answer) => {
    lookup(hostname, { ...options, all: true }, (error, found) => {
      if (error !== null) return answer(error, "");
      const all = Array.isArray(found) ? found : [{ address: found, family: isIP(found) }];
      const allowed = all.filter(({ address }) => mayReach(address));
      const [first] = allowed;
      if (first === undefined) return answer(new Error("webhook_address_refused"), "");
      if (options.all === true) answer(null, allowed);
      else answer(null, first.address, first.family);
    });
  };
}
