import { isIP } from "node:net";
import { type NetworkHost, networkHostOf } from "../../../app/contract/network-host.ts";
import { isPublicAddress } from "../../../runtime/net/addresses.ts";
import { isRefusedPort } from "./refused-ports.ts";

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
