import type { IncomingMessage } from "node:http";
import type { HubErrorCode } from "../../app/protocol/v1/rest.ts";

/**
 * Checked before anything else, on requests and upgrades alike. A page whose name was rebound to
 * 127.0.0.1 carries a foreign Host; any page at all carries an Origin, and programs carry none.
 */
export function foreignness(request: IncomingMessage, port: number): HubErrorCode | undefined {
  const hosts = request.headersDistinct.host ?? [];
  const [host] = hosts;
  if (hosts.length !== 1 || host === undefined || !isOwnHost(host, port)) return "FOREIGN_HOST";
  if (request.headersDistinct.origin !== undefined) return "FOREIGN_ORIGIN";
  return undefined;
}

const isOwnHost = (host: string, port: number): boolean =>
  [`127.0.0.1:${port}`, `localhost:${port}`, `[::1]:${port}`].includes(host.toLowerCase());
