import { Provider, type UpdateInfo } from "electron-updater";
import {
  type ProviderRuntimeOptions,
  parseUpdateInfo,
  resolveFiles,
} from "electron-updater/out/providers/Provider.js";
import { judgeFeed, signedText } from "../../../app/updates/judge-feed.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { FeedError } from "./feed-error.ts";
import type { FeedSource } from "./feed-source.ts";

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
export class SignedProvider extends Provider<UpdateInfo> {
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
      throw error instanceof FeedError ? new FeedError("unsigned") : error;
    });
    if (!(await this.#isSigned(list, text, signature))) throw new FeedError("unsigned");
    const info = parseUpdateInfo(text, list, this.#at(list));
    const judged = judgeFeed({ ...checks, offered: info.version });
    if (judged !== "offered" && judged !== "nothing_new") throw new FeedError(judged);
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
    if (text === null) throw new FeedError("unreachable");
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
