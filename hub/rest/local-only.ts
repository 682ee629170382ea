import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "../../runtime/net/addresses.ts";
import { type Refusal, refusal } from "../hub-error.ts";

/** `own`: also that of the Host itself, which no page but one of ours has. */
export type AllowedOrigin = "none" | "own";

/**
 * Checked before anything else, on requests and upgrades. A page whose name was rebound to 127.0.0.1
 * sends a foreign Host; every page sends an Origin, and programs send none.
 * @param publicHost another name of the hub, with the port if it is not the usual one
 */
export function foreignness(
  request: IncomingMessage,
  port: number,
  allowed: AllowedOrigin = "none",
  publicHost?: string,
): Refusal | undefined {
  const hosts = request.headersDistinct.host ?? [];
  // RFC 9112 §3.2
  if (hosts.length > 1) return refusal("BAD_REQUEST", { fault: "host" });
  const isPublic = publicHost !== undefined && hosts[0]?.toLowerCase() === publicHost;
  if (!isPublic && !isOwnHost(hosts[0], port)) return refusal("FOREIGN_HOST");
  const origins = request.headersDistinct.origin;
  const own = allowed === "own" ? `http://${hosts[0]}` : undefined;
  const isAllowed = origins === undefined || (origins.length === 1 && origins[0] === own);
  return isAllowed ? undefined : refusal("FOREIGN_ORIGIN");
}

/** The names of the address it listens on. */
const isOwnHost = (host: string | undefined, port: number): boolean =>
  host !== undefined && [`127.0.0.1:${port}`, `localhost:${port}`].includes(host.toLowerCase());

const plain = (address: string): string => address.replace(/^::ffff:/, "");

/**
 * Where a request comes from: the peer, or whom the proxy names. Behind a proxy nobody else may come, except
 * from this computer: what they send is not encrypted, and they could name any address.
 * @param proxies addresses; none: the peers come themselves
 * @throws Refusal FORBIDDEN
 */
export function callerAddress(
  { socket, headers }: Pick<IncomingMessage, "socket" | "headers">,
  proxies: readonly string[],
): string {
  const peer = plain(socket.remoteAddress ?? "");
  if (proxies.includes(peer)) {
    // The proxy appends whom it was asked by; what stands before is what that one says.
    const named = String(headers["x-forwarded-for"] ?? "")
      .split(",")
      .at(-1)
      ?.trim();
    return named === undefined || named === "" ? peer : plain(named);
  }
  if (proxies.length > 0 && !isLoopbackAddress(peer)) throw refusal("FORBIDDEN");
  return peer;
}
