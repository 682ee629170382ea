import type { Database, Statement } from "better-sqlite3";
import type { GroupCommit } from "../group-commit.ts";

/** Sealed bytes by name. */
export interface KeyRecordStore {
  all(): ReadonlyMap<string, Uint8Array>;
  /**
   * Stores the whole batch or nothing and resolves when it is durable; `null` deletes. Batches are
   * stored in the order given.
   * @param isAwaited false: stored with the next write, or soon. Default: true
   * @throws StoreError
   */
  save(changes: ReadonlyMap<string, Uint8Array | null>, isAwaited?: boolean): Promise<void>;
}

interface Row {
  readonly name: string;
  readonly sealed: Uint8Array;
}

export class StoredKeyRecords implements KeyRecordStore {
  readonly #group: GroupCommit;
  readonly #all: Statement<[], Row>;
  readonly #put: Statement<[string, Uint8Array]>;
  readonly #remove: Statement<[string]>;

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

  save(changes: ReadonlyMap<string, Uint8Array | null>, isAwaited = true): Promise<void> {
    const batch = [...changes];
    const write = () => {
      for (const [name, sealed] of batch) {
        if (sealed === null) this.#remove.run(name);
        else this.#put.run(name, sealed);
      }
    };
    return isAwaited ? this.#group.enqueue(write) : this.#group.enqueuePatient(write);
  }
}
