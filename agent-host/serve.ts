import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { getRequestListener } from "@hono/node-server";
import type { HostParts } from "./http/host-parts.ts";
import { hostRoutes } from "./http/routes.ts";

export interface ListenAddress {
  readonly host: string;
  /** 0: any free port. */
  readonly port: number;
}

export interface RunningHost extends AsyncDisposable {
  readonly url: string;
}

/** `127.0.0.1:4900`, `[::1]:0`; null if it is not a name or address with a port. */
export function readListen(text: string): ListenAddress | null {
  const [, six, plain, port] = /^(?:\[([0-9a-fA-F:]+)\]|([^:[\]]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = six ?? plain;
  const number = Number(port);
  return host === undefined || number > 65_535 ? null : { host, port: number };
}

export const isLoopback = ({ host }: ListenAddress): boolean =>
  host === "localhost" || host === "::1" || host.startsWith("127.");

// The library would print warnings about requests, but no request may be logged.
Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);

/** Listens until it is disposed of, which ends running chats. */
export async function serve(parts: HostParts, address: ListenAddress): Promise<RunningHost> {
  const server = createServer(getRequestListener(hostRoutes(parts).fetch));
  const listening = Promise.withResolvers<void>();
  server.once("error", listening.reject);
  server.listen(address.port, address.host, listening.resolve);
  await listening.promise;
  return { url: urlOf(server, address), [Symbol.asyncDispose]: () => close(server) };
}

function urlOf(server: Server, { host }: ListenAddress): string {
  const { port } = server.address() as AddressInfo;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
