import type { Database, Statement } from "better-sqlite3";
import { Clean, Create } from "typebox/value";
import { guardOf } from "../../app/contract/checked.ts";
import { Settings } from "../../app/contract/settings.ts";
import { storeError } from "../../runtime/sqlite/store-error.ts";
import type { GroupCommit } from "./group-commit.ts";

const isSettings: (value: unknown) => value is Settings = guardOf(Settings);

export type SettingsReader = Pick<StoredSettings, "current" | "value">;

/** Promises resolve once durable and reject with StoreError. */
export type SettingsWriter = Pick<StoredSettings, "update" | "putValue" | "removeValue">;

/** The small values, for a part of the program that has some. */
export type KeptValues = Pick<SettingsReader, "value"> &
  Pick<SettingsWriter, "putValue" | "removeValue">;

export class StoredSettings {
  readonly #group: GroupCommit;
  readonly #put: Statement<[string, string]>;
  readonly #value: Statement<[string], string>;
  readonly #putValue: Statement<[string, string]>;
  readonly #removeValue: Statement<[string]>;
  /** What was read since it was last written: every call looks some of them up. */
  readonly #read = new Map<string, string | undefined>();
  /**
   * As requested, whether or not durable, so that two changes in one turn do not undo each other.
   */
  #wanted: Settings;
  #current: Settings;

  /** @throws StoreError `store_corrupt` */
  constructor(group: GroupCommit, db: Database) {
    this.#group = group;
    this.#put = db.prepare(
      "INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value",
    );
    this.#value = db
      .prepare<[string], string>("SELECT value FROM kept_values WHERE name = ?")
      .pluck();
    this.#putValue = db.prepare(
      "INSERT INTO kept_values (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
    );
    this.#removeValue = db.prepare("DELETE FROM kept_values WHERE name = ?");
    this.#current = readSettings(db);
    this.#wanted = this.#current;
  }

  current(): Settings {
    return this.#current;
  }

  /** @throws StoreError `store_refused` for a value outside its range */
  async update(changes: Partial<Settings>): Promise<Settings> {
    const next: Settings = Object.freeze({ ...this.#wanted, ...changes });
    if (!isSettings(next)) throw storeError("store_refused", { details: "settings" });
    this.#wanted = next;
    try {
      await this.#group.enqueue(() => this.#write(next));
    } catch (error) {
      this.#wanted = this.#current;
      throw error;
    }
    this.#current = next;
    return next;
  }

  /** A small value stored for a part of the program, such as the hub's token for this device. */
  value(name: string): string | undefined {
    if (!this.#read.has(name)) this.#read.set(name, this.#value.get(name));
    return this.#read.get(name);
  }

  async putValue(name: string, value: string): Promise<void> {
    await this.#group.enqueue(() => {
      this.#read.delete(name);
      this.#putValue.run(name, value);
    });
  }

  async removeValue(name: string): Promise<void> {
    await this.#group.enqueue(() => {
      this.#read.delete(name);
      this.#removeValue.run(name);
    });
  }

  #write(settings: Settings): void {
    for (const [key, value] of Object.entries(settings)) this.#put.run(key, JSON.stringify(value));
  }
}

function readSettings(db: Database): Settings {
  const rows = db
    .prepare<[], { key: string; value: string }>("SELECT key, value FROM settings")
    .all();
  const stored = Object.fromEntries(rows.map(({ key, value }) => [key, parsed(value)]));
  const settings = Clean(Settings, { ...Create(Settings), ...stored });
  if (!isSettings(settings)) throw storeError("store_corrupt", { details: "settings" });
  return Object.freeze(settings);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw storeError("store_corrupt", { details: "settings" });
  }
}
