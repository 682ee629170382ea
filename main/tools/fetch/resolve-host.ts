import { isIP } from "node:net";
import type { NetworkHost } from "../../../app/contract/network-host.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import { isElsewhere, isThisComputer } from "../../../runtime/net/addresses.ts";
import type { NetworkView } from "../../../runtime/net/look-up.ts";
import type { HostAllowed } from "./check-target.ts";

/** What a call may reach. */
export interface Reach {
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
export async function resolveHost(
  target: NetworkHost,
  { network, ownPorts, allowed }: Reach,
): Promise<readonly string[]> {
  const { host, port } = target;
  const addresses = isIP(host) === 0 ? await network.lookupAll(host) : [host];
  if (addresses.length === 0 || addresses.some((address) => isIP(address) === 0)) {
    throw new ToolFailure("network_error");
  }
  const own = network.ownAddresses();
  const isOurs = ownPorts().includes(port);
  if (isOurs && addresses.some((address) => isThisComputer(address, own))) {
    throw new ToolFailure("access_denied");
  }
  if (allowed(target) || addresses.every((address) => isElsewhere(address, own))) return addresses;
  throw new ToolFailure("access_denied");
}
