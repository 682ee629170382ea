import type { IncomingMessage } from "node:http";
import { Refusal } from "../refusal.ts";

/**
 * Checked before anything else, on requests and upgrades. A page whose name was rebound to 127.0.0.1
 * sends a foreign Host; every page sends an Origin, and programs send none.
 */
export function foreignness(request: IncomingMessage, port: number): Refusal | undefined {
  const hosts = request.headersDistinct.host ?? [];
  // RFC 9112 §3.2
  if (hosts.length > 1) return new Refusal("BAD_REQUEST", { fault: "host" });
  if (!isOwnHost(hosts[0], port)) return new Refusal("FOREIGN_HOST");
  if (request.headersDistinct.origin !== undefined) return new Refusal("FOREIGN_ORIGIN");
  return undefined;
}

/** The names of the address it listens on. */
const isOwnHost = (host: string | undefined, port: number): boolean =>
  host !== undefined && [`127.0.0.1:${port}`, `localhost:${port}`].includes(host.toLowerCase());
