import { Buffer } from "node:buffer";
import type { Scheduler } from "../../app/execution/ports.ts";
import type { ClientProgram, HostParts, RunningHost } from "../client/host-port.ts";
import { readRendererFiles } from "../client/renderer-files.ts";
import { startNodeProgram } from "../client/sample-agent.ts";
import { firstAvailable } from "../tools/first-available.ts";
import type { PlatformServices } from "../tools/platform-services.ts";
import { servePage } from "./bridge-connection.ts";
import { createEntryKeys } from "./entry-keys.ts";
import { startPageServer } from "./page-server.ts";
import { createPageServices, type PageServices } from "./page-services.ts";

export interface BrowserHostOptions {
  /** 0 for any free one. */
  readonly port: number;
  /** Folder of the built renderer. */
  readonly rendererDir: URL;
  /** Null leaves opening the page to the person. */
  readonly openBrowser: ((url: string) => void) | null;
  readonly random: (length: number) => Uint8Array;
  readonly scheduler: Scheduler;
  /** What programs of this system can do; asked before the page is. */
  readonly systemServices: PlatformServices;
}

/** The host without Electron: the same renderer in the person's own browser, on loopback. */
export function browserHostParts(options: BrowserHostOptions): HostParts {
  const pages = createPageServices({
    newId: () => Buffer.from(options.random(16)).toString("base64url"),
    scheduler: options.scheduler,
  });
  return {
    kind: "browser",
    platform: firstAvailable([options.systemServices, pages.services]),
    page: pages.handlers,
    startProgram: startNodeProgram,
    start: (program) => startHost(options, pages, program),
  };
}

/** @throws HostError */
async function startHost(
  options: BrowserHostOptions,
  pages: PageServices,
  program: ClientProgram,
): Promise<RunningHost> {
  const { random, scheduler, openBrowser } = options;
  const files = await readRendererFiles(options.rendererDir);
  const keys = createEntryKeys({ random, scheduler });
  const server = await startPageServer({
    port: options.port,
    files,
    onPage: (socket) => servePage(socket, { program, keys, pages, scheduler }),
  });
  // In the fragment, which browsers send to nobody, not even to us.
  const address = () => `http://127.0.0.1:${server.port}/#token=${keys.newToken()}`;
  const raise = () => {
    // A token opens one page: the browser's is not the one the person may still click.
    openBrowser?.(address());
    return address();
  };
  return {
    ui: raise(),
    raise,
    async close() {
      keys.close();
      await server.close();
    },
  };
}
