import { existsSync } from "node:fs";
import { join } from "node:path";

export interface BusPlace {
  readonly env: NodeJS.ProcessEnv;
  /** Whether anything stands at an absolute path (the bus's socket). */
  readonly exists?: (path: string) => boolean;
}

/** Where the D-Bus specification puts the system bus, and where its socket is on Linux today. */
const SYSTEM_SOCKETS = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"];

/** As D-Bus writes addresses; null while there is no such bus. */
export function systemBusAddress({ env, exists = existsSync }: BusPlace): string | null {
  return busAddress(env.DBUS_SYSTEM_BUS_ADDRESS, SYSTEM_SOCKETS, exists);
}

/** The bus of the person's own session; null while there is none. */
export function sessionBusAddress({ env, exists = existsSync }: BusPlace): string | null {
  const folder = env.XDG_RUNTIME_DIR;
  const sockets = folder?.startsWith("/") ? [join(folder, "bus")] : [];
  return busAddress(env.DBUS_SESSION_BUS_ADDRESS, sockets, exists);
}

/** A socket's address alone: other kinds would start a program or reach into the network. */
function busAddress(
  named: string | undefined,
  usual: readonly string[],
  exists: (path: string) => boolean,
): string | null {
  const path =
    named === undefined || named === ""
      ? usual.find(exists)
      : /^unix:path=(\/[^,;]*)/.exec(named)?.[1];
  return path !== undefined && exists(path) ? `unix:path=${path}` : null;
}
