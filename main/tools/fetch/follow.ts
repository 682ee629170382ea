import { isSameHost, networkHostOf } from "../../../app/contract/network-host.ts";
import { FETCH_MAX_REDIRECTS } from "../../../app/contract/tools/fetch-url.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { checkTarget, isOwnNetwork } from "./check-target.ts";
import { type Conduct, type Exchanged, exchange } from "./exchange.ts";
import { type Request, redirectedRequest } from "./request.ts";
import { type Reach, resolveHost } from "./resolve-host.ts";

export interface FetchParts extends Conduct, Reach {
  /** Whether redirects may lead to any public host. */
  readonly anyPublicHost: boolean;
}

export interface Followed extends Exchanged {
  readonly url: URL;
}

/**
 * Sends `first` and follows its redirects to wherever the call may go without asking (contract §4).
 * The first redirect that leads elsewhere is returned as the result.
 * @throws ToolFailure `access_denied`, `too_large`, `network_error`; whatever a connection throws
 */
export async function follow(first: Request, parts: FetchParts): Promise<Followed> {
  let request = first;
  for (let redirects = 0; redirects <= FETCH_MAX_REDIRECTS; redirects++) {
    const addresses = await resolveHost(networkHostOf(request.url), parts);
    const exchanged = await exchange(request, addresses, parts);
    const { location, status } = exchanged;
    const next = location === null ? null : checkTarget(location, request.url, parts.allowed);
    const isOpen = next !== null && mayFollow(first.url, next, parts);
    const redirected = isOpen ? redirectedRequest(request, status, next) : null;
    if (redirected === null) return { ...exchanged, url: request.url };
    request = redirected;
  }
  throw new ToolFailure("network_error");
}

/** Whether a call for `first` may continue to `next` without asking. Pure. */
function mayFollow(
  first: URL,
  next: URL,
  { allowed, anyPublicHost }: Pick<FetchParts, "allowed" | "anyPublicHost">,
): boolean {
  const [from, to] = [networkHostOf(first), networkHostOf(next)];
  if (isSameHost(from, to)) return true;
  const isMadeSecure = from.port === 80 && first.protocol === "http:" && next.protocol === "https:";
  if (isMadeSecure && isSameHost({ ...from, port: 443 }, to)) return true;
  return allowed(to) || (anyPublicHost && !isOwnNetwork(to.host));
}
