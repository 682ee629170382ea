import { isIP } from "node:net";
import { isSameHost, type NetworkHost, networkHostOf } from "../../../app/contract/network-host.ts";
import { FETCH_MAX_REDIRECTS } from "../../../app/contract/tools/fetch-url.ts";
import { toolFailure } from "../../../app/execution/ports.ts";
import {
  isElsewhere,
  isPublicAddress,
  isThisComputer,
  type NetworkView,
} from "../../../runtime/net/addresses.ts";
import { type Conduct, type Exchanged, exchange } from "./exchange.ts";
import { type Request, redirectedRequest } from "./request.ts";

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
  throw toolFailure("network_error");
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

/** Whether the person allowed a host that the rules would refuse. */
export type HostAllowed = (host: NetworkHost) => boolean;

/**
 * The URL to fetch, without its fragment, or null if the URL alone is reason to refuse (threats:
 * SSRF). It is checked after WHATWG normalization, which turns decimal, octal, hexadecimal, short
 * and full-width spellings of an address into the usual one. Pure.
 */
export function checkTarget(text: string, base: URL | null, allowed: HostAllowed): URL | null {
  const url = URL.parse(text, base?.href);
  if (url === null || !(url.protocol === "http:" || url.protocol === "https:")) return null;
  if (url.username !== "" || url.password !== "" || isRefusedPort(url.port)) return null;
  const target = networkHostOf(url);
  const { host } = target;
  // "localhost." is the same name as "localhost", which is how rules and grants know it.
  if (host === "" || host.endsWith(".")) return null;
  if (isOwnNetwork(host) && !allowed(target)) return null;
  url.hash = "";
  return url;
}

/**
 * Whether a host name or address means this computer or the person's own network: every address
 * that is not public, and names that never mean a public host. Other names are checked by the
 * addresses they resolve to. `host` is written as in `NetworkHost`. Pure.
 */
export function isOwnNetwork(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return !host.includes(".") || OWN_DOMAINS.some((domain) => host.endsWith(domain));
}

/**
 * RFC 6761 §6.3, RFC 6762 §3, RFC 8375 §3, ICANN's `.internal`, and a suffix common among routers.
 */
const OWN_DOMAINS = [".localhost", ".local", ".home.arpa", ".internal", ".lan"];

/**
 * Ports of other protocols that could mistake an HTTP request for their own (the Fetch Standard's
 * "bad ports"), and port 0, which cannot be reached.
 */
const REFUSED = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102,
  103, 104, 109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465,
  512, 513, 514, 515, 526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993,
  995, 1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668,
  6669, 6679, 6697, 10080,
]);

/** `port` as in a URL: "" for the scheme's default. */
const isRefusedPort = (port: string): boolean => port !== "" && REFUSED.has(Number(port));

/** What a call may reach. */
interface Reach {
  readonly network: NetworkView;
  /** The TCP ports that this program listens on at that moment. */
  readonly ownPorts: () => readonly number[];
  readonly allowed: HostAllowed;
}

/**
 * The addresses to connect to, looked up once. One refused address is enough to refuse them all:
 * mixing public and private ones is an attack or a mistake. A host that the person allowed is
 * accepted, except on this program's own ports, which nobody can allow.
 * @throws ToolFailure `access_denied`; what the look-up throws
 */
async function resolveHost(
  target: NetworkHost,
  { network, ownPorts, allowed }: Reach,
): Promise<readonly string[]> {
  const { host, port } = target;
  const addresses = isIP(host) === 0 ? await network.lookupAll(host) : [host];
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw toolFailure("network_error");
  }
  const own = network.ownAddresses();
  const isOurs = ownPorts().includes(port);
  if (isOurs && addresses.some((address) => isThisComputer(address, own))) {
    throw toolFailure("access_denied");
  }
  if (allowed(target) || addresses.every((address) => isElsewhere(address, own))) return addresses;
  throw toolFailure("access_denied");
}
