import { lookup as systemLookup } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isLoopbackAddress, isPublicAddress } from "./public-address.ts";
import { isLoopbackHost } from "./webhook-url.ts";

/**
 * Looks a name up and gives only addresses the URL may lead to, so that a name which is private
 * now, and was public when it was registered, leads nowhere.
 */
export function guardedLookup(url: URL, lookup: LookupFunction = systemLookup): LookupFunction {
  const mayReach = isLoopbackHost(url) ? isLoopbackAddress : isPublicAddress;
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
