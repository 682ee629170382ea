import { join, resolve } from "node:path";
import { app } from "electron";
import { tokenFolder } from "../channels/local/client-token.ts";
import { anchorFolder, dataFolder } from "../client/launch/data-folder.ts";
import { readFlags } from "../client/launch/flags.ts";
import { launch } from "../client/launch/launch.ts";
import { builtPrograms, type LaunchOptions } from "../client/launch/launch-options.ts";
import type { TimeSource } from "../client/time-source.ts";
import { watchScreenLock } from "../dbus/screen-lock.ts";
import { collectLinks, desktopHostParts } from "./desktop-host.ts";
import { declareAppScheme } from "./open-window.ts";
import { desktopUpdates } from "./updates/desktop-updates.ts";

export interface RunDesktopOptions {
  readonly time: TimeSource;
  /**
   * Called when the person wants the program to end: close what `runDesktop` returned, then exit.
   */
  readonly quit: () => void;
  /** As in `LaunchOptions`. */
  readonly sendLimits?: LaunchOptions["sendLimits"];
}

/**
 * Runs the client in Electron. Call it before Electron is ready, and do not await it at the top
 * level of the entry module: Electron becomes ready only after that has been evaluated.
 *
 * @throws FlagError, HostError, or what `launch` throws
 */
export async function runDesktop(argv: readonly string[], options: RunDesktopOptions) {
  const flags = readFlags(argv);
  const { sendLimits = {} } = options;
  declareAppScheme();
  const links = collectLinks();
  app.enableSandbox();
  // Two programs with two data folders must not share a Chromium profile.
  if (flags.dataDir !== null) app.setPath("userData", join(resolve(flags.dataDir), "electron"));
  app.on("window-all-closed", () => {});
  await app.whenReady();
  const distDir = new URL("./", import.meta.url);
  const parts = desktopHostParts({
    rendererDir: new URL("../renderer/", distDir),
    preloadDir: new URL("../preload/", distDir),
    locationWorker: new URL("location-worker.js", distDir),
    screenLock: (signal) =>
      watchScreenLock({
        workerUrl: new URL("lock-worker.js", distDir),
        scheduler: options.time.scheduler,
        signal,
      }),
    dataDir: flags.dataDir,
    updates: desktopUpdates(distDir, dataFolder(flags.dataDir)),
    quit: options.quit,
    links,
  });
  return launch(
    {
      flags,
      time: options.time,
      programs: builtPrograms(distDir),
      anchorFolder: anchorFolder(),
      tokenFolder: tokenFolder(),
      terminal: { input: process.stdin, output: process.stderr },
      sendLimits,
      quit: options.quit,
      stdout: (line) => process.stdout.write(`${line}\n`),
      stderr: (line) => process.stderr.write(`${line}\n`),
    },
    parts,
  );
}
