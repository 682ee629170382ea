import type { Database, Statement } from "better-sqlite3";
import type { KeyChanges } from "../../app/encryption/e2ee/ports.ts";
import type { GroupCommit } from "./group-commit.ts";

/** Sealed bytes by name. */
export type KeyRecordStore = Pick<StoredKeyRecords, keyof StoredKeyRecords>;

interface Row {
  readonly name: string;
  readonly sealed: Uint8Array;
}

export class StoredKeyRecords {
  readonly #group: GroupCommit;
  readonly #all: Statement<[], Row>;
  readonly #put: Statement<[string, Uint8Array]>;
  readonly #remove: Statement<[string]>;
  /** What the next write stores. */
  #next:
    | { readonly changes: Map<string, (() => Uint8Array) | null>; readonly durable: Promise<void> }
    | undefined;

  constructor(group: GroupCommit, db: Database) {
    this.#group = group;
    this.#all = db.prepare("SELECT name, sealed FROM key_records");
    this.#put = db.prepare(
      "INSERT INTO key_records (name, sealed) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET sealed = excluded.sealed",
    );
    this.#remove = db.prepare("DELETE FROM key_records WHERE name = ?");
  }

  all(): ReadonlyMap<string, Uint8Array> {
    return new Map(this.#all.all().map(({ name, sealed }) => [name, new Uint8Array(sealed)]));
  }

  /**
   * Stores the whole batch or nothing and resolves when it is durable. Batches are stored in the order given;
   * what a later one replaces in the same write is not made.
   * @param isAwaited false: stored with the next write, or soon
   * @throws StoreError
   */
  save(changes: KeyChanges, isAwaited: boolean): Promise<void> {
    this.#next ??= this.#begin();
    for (const [name, seal] of changes) this.#next.changes.set(name, seal);
    if (isAwaited) this.#group.soon();
    return this.#next.durable;
  }

  #begin() {
    const changes = new Map<string, (() => Uint8Array) | null>();
    const durable = this.#group.enqueuePatient(() => {
      this.#next = undefined;
      for (const [name, seal] of changes) {
        if (seal === null) this.#remove.run(name);
        else this.#put.run(name, seal());
      }
    });
    // A transaction that failed earlier never came to this write.
    durable.catch(() => {
      if (this.#next?.changes === changes) this.#next = undefined;
    });
    return { changes, durable };
  }
}
