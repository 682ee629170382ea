import { existsSync } from "node:fs";
import { systemBusAddress } from "../../../dbus/bus-address.ts";
import type { LocationService } from "../platform-services.ts";
import { geoclueService } from "./geoclue-service.ts";

export interface SystemLocationOptions {
  readonly workerUrl: URL;
  readonly os?: NodeJS.Platform;
  readonly env?: NodeJS.ProcessEnv;
  /** Whether anything exists at an absolute path (the bus's socket). */
  readonly exists?: (path: string) => boolean;
}

/**
 * GeoClue on Linux and other free desktops, looked up at each call: null while there is no bus.
 * macOS and Windows give their location only to signed programs with their own window.
 */
export function systemLocation(options: SystemLocationOptions): () => LocationService | null {
  const { workerUrl, os = process.platform, env = process.env, exists = existsSync } = options;
  if (os === "darwin" || os === "win32") return () => null;
  return () => {
    const address = systemBusAddress({ env, exists });
    return address === null ? null : geoclueService(workerUrl, address);
  };
}
