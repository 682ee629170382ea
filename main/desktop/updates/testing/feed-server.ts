import { createHash, generateKeyPairSync } from "node:crypto";
import { copyFileSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { buildBlockMap } from "app-builder-lib/out/targets/blockmap/blockmap.js";
import { feedPublicKey, signLists } from "../../../../scripts/packaging/feed-signature.ts";
import type { FeedSource } from "../feed-source.ts";

const SYSTEM = process.arch === "x64" ? "linux" : `linux-${process.arch}`;

/** Publishes versions on this computer as a release does, and does what goes wrong on the way. */
export class FeedServer {
  readonly folder: string;
  /** Bytes of packages that were sent. */
  sent = 0;
  /** Cuts off each package after this many bytes; null: it is sent whole. */
  cutAfter: number | null = null;
  readonly key = newKey();
  readonly #server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? "/", "http://feed");
    this.#answer(pathname.slice(1), request.headers.range, response);
  });

  constructor(folder: string) {
    this.folder = folder;
    mkdirSync(folder, { recursive: true });
  }

  async open(): Promise<FeedSource> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    const { port } = this.#server.address() as AddressInfo;
    return { url: `http://127.0.0.1:${port}/`, public_key: feedPublicKey(this.key) };
  }

  close(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  /** Publishes a file as this version, with the map of its blocks in it, and signs the list. */
  async publish(version: string, file: string, channel = "latest"): Promise<void> {
    const name = `consentry-${version}.AppImage`;
    const path = join(this.folder, name);
    copyFileSync(file, path);
    const { blockMapSize } = await buildBlockMap(path, "deflate");
    const sha512 = createHash("sha512").update(readFileSync(path)).digest("base64");
    const { size } = statSync(path);
    this.writeList(
      channel,
      [
        `version: ${version}`,
        "files:",
        `  - url: ${name}`,
        `    sha512: ${sha512}`,
        `    size: ${size}`,
        `    blockMapSize: ${blockMapSize}`,
        `path: ${name}`,
        `sha512: ${sha512}`,
        "releaseDate: '2026-01-01T00:00:00.000Z'",
        "",
      ].join("\n"),
    );
    signLists(this.folder, this.key);
  }

  /** Changes a byte of a package that is published. */
  damage(version: string): void {
    const path = join(this.folder, `consentry-${version}.AppImage`);
    const bytes = readFileSync(path);
    bytes[30] = (bytes[30] ?? 0) ^ 1;
    writeFileSync(path, bytes);
  }

  list = (channel = "latest"): string => join(this.folder, `${channel}-${SYSTEM}.yml`);

  writeList(channel: string, text: string): void {
    writeFileSync(this.list(channel), text);
  }

  withdrawSignature(): void {
    rmSync(`${this.list()}.sig`);
  }

  #answer(name: string, range: string | undefined, response: ServerResponse): void {
    let bytes: Buffer;
    try {
      bytes = readFileSync(join(this.folder, name));
    } catch {
      response.writeHead(404).end();
      return;
    }
    const part = /^bytes=(\d+)-(\d+)$/.exec(range ?? "");
    if (range !== undefined && part === null) {
      // One range at a time: asked for several, a server may refuse.
      response.writeHead(416).end();
      return;
    }
    const [start, end] = part === null ? [0, bytes.length - 1] : [Number(part[1]), Number(part[2])];
    const body = bytes.subarray(start, end + 1);
    const headers = {
      "Content-Length": body.length,
      "Accept-Ranges": "bytes",
      ...(part === null ? {} : { "Content-Range": `bytes ${start}-${end}/${bytes.length}` }),
    };
    response.writeHead(part === null ? 200 : 206, headers);
    const isPackage = name.endsWith(".AppImage");
    if (isPackage && this.cutAfter !== null && body.length > this.cutAfter) {
      this.sent += this.cutAfter;
      response.write(body.subarray(0, this.cutAfter), () => response.destroy());
      return;
    }
    if (isPackage) this.sent += body.length;
    response.end(body);
  }
}

const newKey = (): string =>
  generateKeyPairSync("ed25519").privateKey.export({ format: "pem", type: "pkcs8" }).toString();
