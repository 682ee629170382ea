import { open, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import { type Static, Type } from "typebox";
import type { Rollback } from "../../app/audit/rollback.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { guardOf } from "../../app/contract/checked.ts";
import {
  isOwnFolder,
  makeOwnFolder,
  ownFileError,
  readOwnFile,
  replaceOwnFile,
} from "../../runtime/files/own-file.ts";

const Place = Type.Object({
  seq: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

/** A rollback that the person has not acknowledged. */
const Break = Type.Object({
  noticed_at: Type.Integer(),
  expected: Place,
  found: Place,
});

const AnchorShape = Type.Object({
  version: Type.Literal(1),
  head: Place,
  breaks: Type.Array(Break, { maxItems: 64 }),
});
export type Anchor = Static<typeof AnchorShape>;
const isAnchor: (value: unknown) => value is Anchor = guardOf(AnchorShape);

/** Maximum number of rollbacks remembered; the oldest are dropped first. */
const BREAKS_MAX = 16;
/** Maximum size of the file in bytes. */
const LONGEST = 65_536;

export const anchorOf = (head: ChainHead, breaks: readonly Rollback[]): Anchor => ({
  version: 1,
  head: { seq: head.seq, hash: head.hash },
  breaks: breaks.slice(-BREAKS_MAX),
});

/** The file outside the data folder that contains the log's newest record. */
export class AnchorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * Null if there is none, or it cannot be read: the next write creates one.
   * @throws OwnFileError if something else has its path
   */
  read(): Anchor | null {
    try {
      if (!isOwnFolder(dirname(this.#path))) return null;
      const bytes = readOwnFile(this.#path, LONGEST);
      const value: unknown =
        bytes === null ? null : JSON.parse(Buffer.from(bytes).toString("utf8"));
      return isAnchor(value) ? value : null;
    } catch (error) {
      if (ownFileError.is(error)) throw error;
      return null;
    }
  }

  /** Replaces the old file completely or not at all. @throws the file system's error */
  async write(anchor: Anchor): Promise<void> {
    const aside = `${this.#path}.next`;
    makeOwnFolder(dirname(this.#path));
    await rm(aside, { force: true });
    const file = await open(aside, "wx", 0o600);
    try {
      await file.writeFile(textOf(anchor));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, this.#path);
  }

  /** The same synchronously, for closing, with a different temporary name. @throws as `write` */
  writeNow(anchor: Anchor): void {
    makeOwnFolder(dirname(this.#path));
    replaceOwnFile(this.#path, textOf(anchor), true);
  }
}

const textOf = (anchor: Anchor): string => `${JSON.stringify(anchor, null, 2)}\n`;
