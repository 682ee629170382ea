import {
  AppImageUpdater,
  MacUpdater,
  NsisUpdater,
  Provider,
  type UpdateInfo,
} from "electron-updater";
import type { AppAdapter } from "electron-updater/out/AppAdapter.js";
import { ElectronHttpExecutor } from "electron-updater/out/electronHttpExecutor.js";
import {
  type ProviderRuntimeOptions,
  parseUpdateInfo,
  resolveFiles,
} from "electron-updater/out/providers/Provider.js";
import { judgeFeed, signedText } from "../../../app/updates/judge-feed.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { type FeedSource, feedError } from "./feed-source.ts";
import type { PackageKind } from "./previous-package.ts";

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
    if (checks === null) throw feedError("unreachable");
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
      if (found === null) throw feedError("unreachable");
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
  if (feedError.is(error)) throw error;
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const isDamaged = code === "ERR_CHECKSUM_MISMATCH" || code === "ERR_UPDATER_INVALID_SIGNATURE";
  throw feedError(isDamaged ? "damaged" : "unreachable");
}

/** What the list of one channel is held against. */
export interface ListChecks {
  /** The channel's part of the list's name. */
  readonly channel: "latest" | "beta";
  readonly newest: string | null;
  readonly failed: readonly string[];
  readonly running: string;
}

/**
 * Gets a list of versions only with its signature, before anything else of it is read. electron-updater
 * itself checks packages against the list, but not the list.
 */
class SignedProvider extends Provider<UpdateInfo> {
  readonly #source: FeedSource;
  readonly #checks: () => ListChecks;

  constructor(source: FeedSource, checks: () => ListChecks, parts: ProviderRuntimeOptions) {
    super(parts);
    this.#source = source;
    this.#checks = checks;
  }

  /** Not even the number that decides about staged roll-outs goes to the server. */
  override setRequestHeaders(): void {
    super.setRequestHeaders(null);
  }

  /** @throws FeedError */
  override async getLatestVersion(): Promise<UpdateInfo> {
    const checks = this.#checks();
    const name =
      checks.channel === "latest"
        ? this.getDefaultChannelName()
        : this.getCustomChannelName(checks.channel);
    const list = `${name}.yml`;
    const text = await this.#read(list);
    const signature = await this.#read(`${list}.sig`).catch((error: unknown) => {
      throw feedError.is(error) ? feedError("unsigned") : error;
    });
    if (!(await this.#isSigned(list, text, signature))) throw feedError("unsigned");
    const info = parseUpdateInfo(text, list, this.#at(list));
    const judged = judgeFeed({ ...checks, offered: info.version });
    if (judged !== "offered" && judged !== "nothing_new") throw feedError(judged);
    return info;
  }

  override resolveFiles(info: UpdateInfo) {
    return resolveFiles(info, this.#at(""));
  }

  #at(name: string): URL {
    return new URL(name, this.#source.url.replace(/\/*$/, "/"));
  }

  async #read(name: string): Promise<string> {
    const text = await this.httpRequest(this.#at(name)).catch(() => null);
    if (text === null) throw feedError("unreachable");
    return text;
  }

  async #isSigned(list: string, text: string, signature: string): Promise<boolean> {
    return await nodePrimitives.ed25519Verify(
      new Uint8Array(Buffer.from(this.#source.public_key, "base64")),
      new TextEncoder().encode(signedText(list, text)),
      new Uint8Array(Buffer.from(signature.trim(), "base64")),
    );
  }
}
