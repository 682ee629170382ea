import { chmodSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { type Static, Type } from "typebox";
import type { Rollback } from "../../app/audit/rollback.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { guardOf } from "../../app/contract/checked.ts";

const Place = Type.Object({
  seq: Type.Integer({ minimum: 0 }),
  hash: Type.String({ pattern: "^[0-9a-f]{64}$" }),
});

/** A roll-back that the person has not seen yet. */
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

/** Breaks remembered; the oldest go first. */
const BREAKS_MAX = 16;

export const anchorOf = (head: ChainHead, breaks: readonly Rollback[]): Anchor => ({
  version: 1,
  head: { seq: head.seq, hash: head.hash },
  breaks: breaks.slice(-BREAKS_MAX),
});

/** The file outside the data folder that says how far the log had come. */
export class AnchorFile {
  readonly #path: string;

  constructor(path: string) {
    this.#path = path;
  }

  /** Null when there is none, or none that can be read: the next writing makes one. */
  read(): Anchor | null {
    try {
      const value: unknown = JSON.parse(readFileSync(this.#path, "utf8"));
      return isAnchor(value) ? value : null;
    } catch {
      return null;
    }
  }

  /** Takes the place of the older one as a whole, or not at all. @throws what the disk says */
  async write(anchor: Anchor): Promise<void> {
    const aside = this.#makeRoom("new");
    const file = await open(aside, "w", 0o600);
    try {
      await file.writeFile(textOf(anchor));
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(aside, this.#path);
  }

  /** The same at once, for the moment of closing. @throws what the disk says */
  writeNow(anchor: Anchor): void {
    const aside = this.#makeRoom("last");
    rmSync(aside, { force: true });
    writeFileSync(aside, textOf(anchor), { mode: 0o600, flush: true });
    renameSync(aside, this.#path);
  }

  /** A name to write under: never the same for two writings at a time. */
  #makeRoom(suffix: "new" | "last"): string {
    const folder = dirname(this.#path);
    if (mkdirSync(folder, { recursive: true, mode: 0o700 }) !== undefined) chmodSync(folder, 0o700);
    return `${this.#path}.${suffix}`;
  }
}

const textOf = (anchor: Anchor): string => `${JSON.stringify(anchor, null, 2)}\n`;
