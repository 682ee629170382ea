import { constants } from "node:fs";
import { type FileHandle, open, readFile, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { ByteReader, ByteWriter, equalBytes } from "../../app/encryption/bytes.ts";
import {
  changesOf,
  type KeyBatch,
  type KeyChanges,
  type KeyRecords,
} from "../../app/encryption/e2ee/ports.ts";
import { refuse } from "../../app/encryption/encryption-error.ts";
import { nodePrimitives as crypto } from "../crypto/node-primitives.ts";
import { syncFolder } from "./own-file.ts";

const OWNER_ONLY = 0o600;
const CHECKSUM_BYTES = 8;
/**
 * On Linux, O_DSYNC makes each write durable without a second call; elsewhere it guarantees less.
 */
const SYNCS_ITSELF = process.platform === "linux";
/** How long a batch that nobody waits for waits to be combined with another, in ms. */
const PATIENCE_MS = 20;
/** The file is rewritten after this many bytes were appended. */
const REWRITE_AT = 1_048_576;

const APPENDING = constants.O_RDWR | (SYNCS_ITSELF ? constants.O_DSYNC : 0);

interface Waiting {
  readonly changes: KeyChanges;
  readonly kept: () => void;
  readonly failed: (error: unknown) => void;
}

/**
 * Key records in one file that only its owner can read (0600): a sequence of batches, each with its
 * checksum. An incomplete batch at the end, left by a crash, was never confirmed and is ignored.
 */
export class KeyJournal implements KeyRecords {
  readonly #path: string;
  readonly #closed: () => Promise<void>;
  readonly #records = new Map<string, () => Uint8Array>();
  #file: FileHandle | undefined;
  #size = 0;
  #rewriteAt = REWRITE_AT;
  #waiting: Waiting[] = [];
  #writing: Promise<void> | undefined;
  #patience: NodeJS.Timeout | undefined;
  /** Why nothing is stored until the file is read again. */
  #failure: unknown;
  #isLost = false;

  /**
   * @param path in an existing folder; created at the first `load`
   * @param closed called when nothing more is read or written
   */
  constructor(path: string, closed: () => Promise<void> = async () => undefined) {
    this.#path = path;
    this.#closed = closed;
  }

  /**
   * After a failed `save`, reads what the file really contains; from then on batches are stored
   * again.
   * @throws EncryptionError `corrupt_state` if it is another file, or damaged before its end
   */
  async load(): Promise<ReadonlyMap<string, Uint8Array>> {
    if (this.#failure !== undefined) await this.#reopen();
    if (this.#file === undefined) await this.#open();
    return new Map([...this.#records].map(([name, encode]) => [name, encode()]));
  }

  async save(changes: KeyBatch): Promise<void> {
    const { done } = await this.#add(changesOf(changes));
    this.#begin();
    return done;
  }

  async saveSoon(changes: KeyChanges): Promise<void> {
    const { done } = await this.#add(changes);
    this.#patience ??= setTimeout(() => this.#begin(), PATIENCE_MS);
    return done;
  }

  async #add(changes: KeyChanges): Promise<{ readonly done: Promise<void> }> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#file === undefined) await this.#open();
    apply(this.#records, changes);
    const done = new Promise<void>((kept, failed) => this.#waiting.push({ changes, kept, failed }));
    return { done };
  }

  #begin(): void {
    clearTimeout(this.#patience);
    this.#patience = undefined;
    // If there were nothing to write, it would finish before being assigned, and never be cleared.
    if (this.#waiting.length > 0) this.#writing ??= this.#writeAll();
  }

  /** Nothing more is stored: another process owns the file now. */
  fail(): void {
    this.#isLost = true;
    this.#failure ??= new Error("lost");
  }

  /** Writes everything requested so far first. */
  async close(): Promise<void> {
    this.#begin();
    await this.#writing;
    this.fail();
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    await this.#closed();
  }

  async #reopen(): Promise<void> {
    if (this.#isLost) throw this.#failure;
    await this.#writing;
    const file = this.#file;
    this.#file = undefined;
    await file?.close();
    this.#records.clear();
    await this.#open();
    this.#failure = undefined;
  }

  async #open(): Promise<void> {
    this.#file = await open(this.#path, constants.O_CREAT | APPENDING, OWNER_ONLY);
    await this.#file.chmod(OWNER_ONLY);
    const bytes = new Uint8Array(await readFile(this.#path));
    try {
      this.#size = readBatches(bytes, this.#records);
    } catch (error) {
      await this.close();
      throw error;
    }
    // An incomplete batch before the next one would make the file unreadable.
    if (this.#size < bytes.length) await this.#file.truncate(this.#size);
    await syncFolder(dirname(this.#path));
  }

  /** Everything waiting is combined into one write and one sync. */
  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      const batches = this.#waiting;
      this.#waiting = [];
      try {
        await this.#write(encodeBatch(joined(batches)));
        for (const { kept } of batches) kept();
      } catch (error) {
        this.#failure = error;
        for (const { failed } of [...batches, ...this.#waiting]) failed(error);
        this.#waiting = [];
      }
    }
    this.#writing = undefined;
  }

  async #write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    if (this.#size + bytes.length > this.#rewriteAt) return this.#rewrite();
    const file = this.#file ?? refuse("storage_failed");
    const { bytesWritten } = await file.write(bytes, 0, bytes.length, this.#size);
    if (bytesWritten !== bytes.length) refuse("storage_failed");
    if (!SYNCS_ITSELF) await file.datasync();
    this.#size += bytes.length;
  }

  /** The records include everything that is waiting, so the whole file is one batch of them. */
  async #rewrite(): Promise<void> {
    const bytes = encodeBatch(this.#records);
    const beside = `${this.#path}.new`;
    const flags = constants.O_CREAT | constants.O_TRUNC | APPENDING;
    const next = await open(beside, flags, OWNER_ONLY);
    try {
      await next.chmod(OWNER_ONLY);
      await next.writeFile(bytes);
      await next.sync();
      await rename(beside, this.#path);
      await syncFolder(dirname(this.#path));
    } catch (error) {
      await next.close();
      throw error;
    }
    await this.#file?.close();
    this.#file = next;
    this.#size = bytes.length;
    this.#rewriteAt = bytes.length + REWRITE_AT;
  }
}

/** A record that one batch sets and a later one deletes is never written. */
function joined(batches: readonly Waiting[]): KeyChanges {
  const all = new Map<string, (() => Uint8Array) | null>();
  for (const { changes } of batches) for (const [name, encode] of changes) all.set(name, encode);
  return all;
}

function apply(records: Map<string, () => Uint8Array>, changes: KeyChanges): void {
  for (const [name, encode] of changes) {
    if (encode === null) records.delete(name);
    else records.set(name, encode);
  }
}

const checksum = (body: Uint8Array): Uint8Array =>
  (crypto.sha256(body) as Uint8Array).subarray(0, CHECKSUM_BYTES);

function encodeBatch(changes: KeyChanges): Uint8Array {
  const writer = new ByteWriter().u32(changes.size);
  for (const [name, encode] of changes) {
    writer.text(name).optional(encode, (record) => writer.bytes32(record()));
  }
  const body = writer.done();
  return new ByteWriter().bytes32(body).raw(checksum(body)).done();
}

/** @returns where the last complete batch ends */
function readBatches(bytes: Uint8Array, records: Map<string, () => Uint8Array>): number {
  let end = 0;
  while (end < bytes.length) {
    const batch = readBatch(bytes.subarray(end));
    if (batch === undefined) return end;
    apply(records, batch.changes);
    end += batch.length;
  }
  return end;
}

/** `undefined` for an incomplete batch; a complete one must be valid. */
function readBatch(
  bytes: Uint8Array,
): { readonly changes: KeyChanges; readonly length: number } | undefined {
  const length =
    bytes.length < 4
      ? Number.POSITIVE_INFINITY
      : new DataView(bytes.buffer, bytes.byteOffset).getUint32(0) + 4 + CHECKSUM_BYTES;
  if (length > bytes.length) return undefined;
  const body = bytes.slice(4, length - CHECKSUM_BYTES);
  if (!equalBytes(checksum(body), bytes.subarray(length - CHECKSUM_BYTES, length))) {
    // The last one may have been written only in part; everything before it was confirmed.
    if (length === bytes.length) return undefined;
    refuse("corrupt_state");
  }
  const reader = new ByteReader(body, "corrupt_state");
  const changes = new Map<string, (() => Uint8Array) | null>();
  for (let left = reader.u32(); left > 0; left -= 1) {
    const name = reader.text();
    const record = reader.optional(() => reader.bytes32());
    changes.set(name, record && (() => record));
  }
  reader.end();
  return { changes, length };
}
