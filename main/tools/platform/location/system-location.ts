import { existsSync } from "node:fs";
import type { LocationService } from "../platform-services.ts";
import { geoclueService } from "./geoclue-service.ts";

export interface SystemLocationOptions {
  readonly workerUrl: URL;
  readonly os?: NodeJS.Platform;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether anything stands at an absolute path (the bus's socket). */
  readonly exists?: (path: string) => boolean;
}

/** Where the D-Bus specification puts the system bus, and where its socket is on Linux today. */
const SOCKETS = ["/run/dbus/system_bus_socket", "/var/run/dbus/system_bus_socket"];

/**
 * GeoClue on Linux and other free desktops, asked for at each call: null while there is no bus.
 * macOS and Windows give their location to signed programs with a window of their own alone.
 */
export function systemLocation(options: SystemLocationOptions): () => LocationService | null {
  const { workerUrl, os = process.platform, env = process.env, exists = existsSync } = options;
  if (os === "darwin" || os === "win32") return () => null;
  return () => {
    const address = busAddress(env.DBUS_SYSTEM_BUS_ADDRESS, exists);
    return address === null ? null : geoclueService(workerUrl, address);
  };
}

/** A socket's address alone: other kinds would start a program or reach into the network. */
function busAddress(named: string | undefined, exists: (path: string) => boolean): string | null {
  const path =
    named === undefined || named === ""
      ? SOCKETS.find(exists)
      : /^unix:path=(\/[^,;]*)/.exec(named)?.[1];
  return path !== undefined && exists(path) ? `unix:path=${path}` : null;
}
