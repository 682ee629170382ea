import { randomBytes } from "node:crypto";
import open from "open";
import { tokenFolder } from "../channels/local/client-token.ts";
import { anchorFolder } from "../client/launch/data-folder.ts";
import { readFlags } from "../client/launch/flags.ts";
import { launch } from "../client/launch/launch.ts";
import { builtPrograms, type LaunchOptions } from "../client/launch/launch-options.ts";
import { systemTime } from "../client/launch/system-time.ts";
import type { TimeSource } from "../client/time-source.ts";
import { watchScreenLock } from "../dbus/screen-lock.ts";
import { systemLocation } from "../tools/platform/location/system-location.ts";
import { systemPrograms } from "../tools/platform/system-programs.ts";
import { browserHostParts } from "./browser-host.ts";

export interface RunBrowserOptions {
  /** Absent: this machine's. */
  readonly time?: TimeSource;
  /** Called when the program should end: close what `runBrowser` returned, then exit. */
  readonly quit: () => void;
  /** As in `LaunchOptions`. */
  readonly sendLimits?: LaunchOptions["sendLimits"];
  readonly sealing?: LaunchOptions["sealing"];
}

/**
 * Runs the client in this process, with its pages in the person's browser.
 *
 * @throws FlagError, HostError, or what `launch` throws
 */
export async function runBrowser(argv: readonly string[], options: RunBrowserOptions) {
  const flags = readFlags(argv);
  const { time = systemTime(), sendLimits = {}, sealing } = options;
  const distDir = new URL("./", import.meta.url);
  const stderr = (line: string) => process.stderr.write(`${line}\n`);
  const parts = browserHostParts({
    port: flags.port,
    rendererDir: new URL("../renderer/", distDir),
    openBrowser: flags.open ? (url) => openInBrowser(url, stderr) : null,
    random: randomBytes,
    say: stderr,
    scheduler: time.scheduler,
    systemServices: (host) => ({
      ...systemPrograms(host),
      location: systemLocation({ workerUrl: new URL("location-worker.js", distDir) }),
    }),
    screenLock: (signal) =>
      watchScreenLock({
        workerUrl: new URL("lock-worker.js", distDir),
        scheduler: time.scheduler,
        signal,
      }),
  });
  const programs = builtPrograms(distDir);
  return launch(
    {
      flags,
      time,
      programs,
      anchorFolder: anchorFolder(),
      tokenFolder: tokenFolder(),
      terminal: { input: process.stdin, output: process.stderr },
      sendLimits,
      ...(sealing === undefined ? {} : { sealing }),
      quit: options.quit,
      stdout: (line) => process.stdout.write(`${line}\n`),
      stderr,
    },
    parts,
  );
}

/** If no browser can be started, the person opens the printed address. */
function openInBrowser(url: string, stderr: (line: string) => void): void {
  const failed = () => stderr("No browser could be opened; open the printed address yourself.");
  open(url).then((browser) => browser.once("error", failed), failed);
}
