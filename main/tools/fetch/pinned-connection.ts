import { connect as connectTcp, isIP, type LookupFunction, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import type { buildConnector } from "undici";
import { lookupBy } from "../../../runtime/net/look-up.ts";

export interface PinnedConnection {
  readonly connector: buildConnector.connector;
  /** Destroys every socket that was opened, even those still connecting. */
  destroy(): void;
}

/**
 * Connects to the given addresses only, one after the other until one answers. The Host header and
 * server name remain the host's. Nothing is looked up again (threats: rebinding).
 */
export function pinnedConnection(addresses: readonly string[]): PinnedConnection {
  const sockets = new Set<Socket>();
  const lookup = lookupBy(async () => addresses);
  const connector: buildConnector.connector = (options, callback) => {
    const secure = options.protocol === "https:";
    const socket = openSocket(options, secure, lookup);
    sockets.add(socket);
    const settle = settleOnce(callback);
    // Stays for the socket's whole life: an error on an unused socket must not be thrown.
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
    // RFC 6066 §3: no server name for an address literal.
    ...(isIP(host) === 0 ? { servername: host } : {}),
    ALPNProtocols: ["http/1.1"],
    // Otherwise an environment variable could turn it off.
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
