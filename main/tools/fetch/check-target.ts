import { isIP } from "node:net";
import { type NetworkHost, networkHostOf } from "../../../app/contract/network-host.ts";
import { isPublicAddress } from "../../../net/addresses.ts";
import { isRefusedPort } from "./refused-ports.ts";

/** Whether the person allowed a host that the rules refuse. */
export type HostAllowed = (host: NetworkHost) => boolean;

/**
 * The URL to fetch, without fragment, or null when it is refused by what it says alone (threats:
 * SSRF). It is judged after WHATWG normalisation: decimal, octal, hexadecimal, short and
 * full-width spellings of an address have become the usual one by then. Pure.
 */
export function checkTarget(text: string, base: URL | null, allowed: HostAllowed): URL | null {
  const url = URL.parse(text, base?.href);
  if (url === null || !(url.protocol === "http:" || url.protocol === "https:")) return null;
  if (url.username !== "" || url.password !== "" || isRefusedPort(url.port)) return null;
  const target = networkHostOf(url);
  const { host } = target;
  // "localhost." and the like: one more spelling of a name that rules and grants know without it.
  if (host === "" || host.endsWith(".")) return null;
  if (isOwnNetwork(host) && !allowed(target)) return null;
  url.hash = "";
  return url;
}

/**
 * Whether a host is this computer or the person's own network by what it is called: every address
 * that is not public, and the names that never mean a public one. Other names are judged by the
 * addresses they turn out to have. `host` is as `NetworkHost` has it. Pure.
 */
export function isOwnNetwork(host: string): boolean {
  if (isIP(host) !== 0) return !isPublicAddress(host);
  return !host.includes(".") || OWN_DOMAINS.some((domain) => host.endsWith(domain));
}

/** RFC 6761 §6.3, RFC 6762 §3, RFC 8375 §3, ICANN's `.internal`, and what routers make up. */
const OWN_DOMAINS = [".localhost", ".local", ".home.arpa", ".internal", ".lan"];
