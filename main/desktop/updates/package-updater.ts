import { AppImageUpdater, MacUpdater, NsisUpdater } from "electron-updater";
import type { AppAdapter } from "electron-updater/out/AppAdapter.js";
import { ElectronHttpExecutor } from "electron-updater/out/electronHttpExecutor.js";
import type { ProviderRuntimeOptions } from "electron-updater/out/providers/Provider.js";
import { FeedError } from "./feed-error.ts";
import type { FeedSource } from "./feed-source.ts";
import type { PackageKind } from "./package-kind.ts";
import { type ListChecks, SignedProvider } from "./signed-provider.ts";

export interface PackageUpdater {
  /**
   * Reads the list of a channel. `offered`: its version is newer, and meant for this computer.
   * @throws FeedError
   */
  look(checks: ListChecks): Promise<{ readonly listed: string; readonly offered: boolean }>;
  /**
   * Fetches what `look` found last. Interrupted, it leaves nothing that could be installed.
   * @throws FeedError
   */
  fetch(): Promise<void>;
  /** Replaces the package by what was fetched, once nothing of the program runs any more. */
  install(): void;
}

/**
 * electron-updater with our own checks before it: it fetches only the blocks that changed, compares the
 * package with the list, and on Windows and macOS checks who signed it.
 *
 * @param source where the packages come from
 */
export function packageUpdater(
  kind: PackageKind,
  source: FeedSource,
  around: AppAdapter,
): PackageUpdater {
  const updater = newUpdater(kind, around);
  // With surroundings of one's own, electron-updater leaves it to the caller how it connects.
  Object.assign(updater, { httpExecutor: new ElectronHttpExecutor() });
  updater.logger = null;
  // An error is thrown, too; without a listener it would end the program.
  updater.on("error", () => {});
  updater.autoDownload = false;
  // macOS takes the package at once, and installs it when the program has ended.
  updater.autoInstallOnAppQuit = kind === "mac";
  updater.allowDowngrade = false;
  updater.disableWebInstaller = true;
  let checks: ListChecks | null = null;
  const checksNow = (): ListChecks => {
    if (checks === null) throw new FeedError("unreachable");
    return checks;
  };
  updater.setFeedURL({
    provider: "custom",
    updateProvider: class extends SignedProvider {
      constructor(_options: unknown, _updater: unknown, parts: ProviderRuntimeOptions) {
        super(source, checksNow, parts);
      }
    },
  });
  const isSupported = updater.isUpdateSupported;
  updater.isUpdateSupported = (info) =>
    !checksNow().failed.includes(info.version) && isSupported(info);
  return {
    async look(wanted) {
      checks = wanted;
      const found = await updater.checkForUpdates().catch(fault);
      if (found === null) throw new FeedError("unreachable");
      return { listed: found.updateInfo.version, offered: found.isUpdateAvailable };
    },
    async fetch() {
      await updater.downloadUpdate().catch(fault);
    },
    install() {
      if (updater instanceof MacUpdater) return;
      updater.install(true, false);
    },
  };
}

function newUpdater(kind: PackageKind, around: AppAdapter) {
  switch (kind) {
    case "appimage":
      return new AppImageUpdater(null, around);
    case "nsis":
      return new NsisUpdater(null, around);
    case "mac":
      return new MacUpdater(undefined, around);
    default:
      return kind satisfies never;
  }
}

function fault(error: unknown): never {
  if (error instanceof FeedError) throw error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isDamaged = code === "ERR_CHECKSUM_MISMATCH" || code === "ERR_UPDATER_INVALID_SIGNATURE";
  throw new FeedError(isDamaged ? "damaged" : "unreachable");
}
