import type { IncomingMessage } from "node:http";
import { isLoopbackAddress } from "../../runtime/net/addresses.ts";
import { Refusal } from "../hub-error.ts";

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
  if (proxies.length > 0 && !isLoopbackAddress(peer)) throw new Refusal("FORBIDDEN");
  return peer;
}
