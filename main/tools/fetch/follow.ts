import { FETCH_MAX_REDIRECTS } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { checkTarget, type HostAllowed, hostOf } from "./check-target.ts";
import { type Conduct, type Exchanged, exchange } from "./exchange.ts";
import { type Request, redirectedRequest } from "./request.ts";
import { type NetworkView, resolveHost } from "./resolve-host.ts";

export interface FetchParts extends Conduct {
  readonly network: NetworkView;
  readonly allowed: HostAllowed;
}

export interface Followed extends Exchanged {
  readonly url: URL;
}

/**
 * Sends `first` and whatever its redirects ask for; each is checked as if it were the first.
 * @throws ToolFailure `access_denied`, `too_large`, `network_error`; whatever a connection throws
 */
export async function follow(first: Request, parts: FetchParts): Promise<Followed> {
  const { network, allowed } = parts;
  let request = first;
  for (let redirects = 0; redirects <= FETCH_MAX_REDIRECTS; redirects++) {
    const addresses = await resolveHost(hostOf(request.url), network, allowed);
    const exchanged = await exchange(request, addresses, parts);
    if (exchanged.location === null) return { ...exchanged, url: request.url };
    const next = checkTarget(exchanged.location, request.url, allowed);
    const redirected = next === null ? null : redirectedRequest(request, exchanged.status, next);
    if (redirected === null) throw new ToolFailure("access_denied");
    request = redirected;
  }
  throw new ToolFailure("network_error");
}
