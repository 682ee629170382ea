import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { lookupBy } from "../../../net/look-up.ts";

export interface PinnedConnection {
  readonly connector: buildConnector.connector;
  /** Destroys every socket that was opened, also one that is still connecting. */
  destroy(): void;
}

/**
 * Connects to the given addresses and no others, one after the other until one answers; Host
 * header and server name stay the host's. Nothing is looked up again (threats: rebinding).
 */
export function pinnedConnection(addresses: readonly string[]): PinnedConnection {
  const sockets = new Set<Socket>();
  const lookup = lookupBy(async () => addresses);
  const connector: buildConnector.connector = (options, callback) => {
    const secure = options.protocol === "https:";
    const socket = openSocket(options, secure, lookup);
    sockets.add(socket);
    const settle = settleOnce(callback);
    // Stays for the socket's life: an error of a socket nobody uses any more must not be thrown.
    socket.on("error", (error) => settle(error, null));
    socket.once("close", () => {
      sockets.delete(socket);
      settle(new Error("closed"), null);
    });
    socket.once(secure ? "secureConnect" : "connect", () => settle(null, socket));
  };
  return {
    connector,
    destroy: () => {
      for (const socket of sockets) socket.destroy();
    },
  };
}

function openSocket(
  { hostname: host, port }: buildConnector.Options,
  secure: boolean,
  lookup: LookupFunction,
): Socket {
  const place = { host, lookup, autoSelectFamily: true, noDelay: true };
  if (!secure) return connectTcp({ ...place, port: Number(port || 80) });
  return connectTls({
    ...place,
    port: Number(port || 443),
    // RFC 6066 §3: no server name for a literal address.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    // An environment variable could turn it off otherwise.
    rejectUnauthorized: true,
  });
}

function settleOnce(
  callback: buildConnector.Callback,
): (...result: [null, Socket] | [Error, null]) => void {
  let settled = false;
  return (...result) => {
    if (settled) return;
    settled = true;
    callback(...result);
  };
}
