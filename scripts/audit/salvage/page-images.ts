import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { AuditFileError } from "../../../main/audit-log/index.ts";

const MAGIC = "SQLite format 3\u0000";
const WAL_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Page sizes that SQLite allows, the usual one first. */
const PAGE_SIZES = [4096, 1024, 2048, 8192, 16_384, 32_768, 65_536, 512] as const;

/** One version of a page: the database's own, or a later one from the write-ahead log. */
export interface PageImage {
  /** From 1. */
  readonly page: number;
  readonly bytes: Uint8Array;
}

/** Every page of a database file and its write-ahead log, read in place and never written. */
export class PageImages {
  readonly pageSize: number;
  readonly #file: number;
  readonly #wal: number | null;
  readonly #inFile: number;
  readonly #frames: readonly number[];
  /** Page number → its newest frame, by position in the log. */
  readonly #newest = new Map<number, number>();

  /** @throws AuditFileError `not_a_database`; whatever the file system says */
  constructor(path: string) {
    this.#file = openSync(path, "r");
    this.#wal = existsSync(`${path}-wal`) ? openSync(`${path}-wal`, "r") : null;
    this.pageSize = this.#findPageSize();
    this.#inFile = Math.floor(sizeOf(this.#file) / this.pageSize);
    this.#frames = this.#findFrames();
    if (this.#inFile === 0 && this.#frames.length === 0) {
      throw new AuditFileError("not_a_database");
    }
  }

  /** How many versions of pages there are; they are numbered from 0. */
  get count(): number {
    return this.#inFile + this.#frames.length;
  }

  image(index: number): PageImage {
    if (index < this.#inFile) {
      return { page: index + 1, bytes: this.#read(this.#file, index * this.pageSize) };
    }
    const at = this.#frames[index - this.#inFile] ?? 0;
    const [page = 0] = this.#frameHead(at);
    return { page, bytes: this.#read(this.#wal ?? this.#file, at + FRAME_HEADER_BYTES) };
  }

  /** The newest version of a page. */
  page(page: number): Uint8Array {
    const frame = this.#newest.get(page);
    if (frame !== undefined && this.#wal !== null) {
      return this.#read(this.#wal, frame + FRAME_HEADER_BYTES);
    }
    return this.#read(this.#file, (page - 1) * this.pageSize);
  }

  close(): void {
    closeSync(this.#file);
    if (this.#wal !== null) closeSync(this.#wal);
  }

  /** As stated in the file or the log; otherwise a size that divides the file's length. */
  #findPageSize(): number {
    const head = readAt(this.#file, 0, 18);
    const said = new DataView(head.buffer).getUint16(16);
    const isOurs = Buffer.from(head.subarray(0, 16)).toString("latin1") === MAGIC;
    const inFile = said === 1 ? 65_536 : said;
    if (isOurs && PAGE_SIZES.some((size) => size === inFile)) return inFile;
    const inWal = this.#wal === null ? 0 : numberAt(readAt(this.#wal, 0, 12), 8);
    const size = [inWal, ...PAGE_SIZES].find((each) => PAGE_SIZES.some((known) => known === each));
    if (size === undefined) throw new AuditFileError("not_a_database");
    return size;
  }

  /** Frames of the log's current round; others are left over from an earlier one. */
  #findFrames(): readonly number[] {
    if (this.#wal === null || sizeOf(this.#wal) < WAL_HEADER_BYTES) return [];
    const header = readAt(this.#wal, 0, WAL_HEADER_BYTES);
    const salt = [numberAt(header, 16), numberAt(header, 20)];
    const step = FRAME_HEADER_BYTES + this.pageSize;
    const frames: number[] = [];
    for (let at = WAL_HEADER_BYTES; at + step <= sizeOf(this.#wal); at += step) {
      const [page = 0, , ...frameSalt] = this.#frameHead(at);
      if (page === 0 || frameSalt[0] !== salt[0] || frameSalt[1] !== salt[1]) continue;
      frames.push(at);
      this.#newest.set(page, at);
    }
    return frames;
  }

  /** Page, size of the database after a commit, and the two salts. */
  #frameHead(at: number): readonly number[] {
    const head = readAt(this.#wal ?? this.#file, at, 16);
    return [0, 4, 8, 12].map((offset) => numberAt(head, offset));
  }

  #read(file: number, at: number): Uint8Array {
    return readAt(file, at, this.pageSize);
  }
}

const sizeOf = (file: number): number => fstatSync(file).size;
const numberAt = (bytes: Uint8Array, at: number): number =>
  new DataView(bytes.buffer, bytes.byteOffset).getUint32(at);

/**
 * What cannot be read, or lies beyond the end, is returned as zeros, and a page of zeros contains
 * nothing.
 */
function readAt(file: number, at: number, length: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(length);
  try {
    readSync(file, bytes, 0, length, at);
  } catch {
    bytes.fill(0);
  }
  return bytes;
}
