import {
  type OpenedDatabase,
  openDatabase,
  replaceDatabase,
} from "../../runtime/sqlite/open-database.ts";
import { comesOfDamage, toStoreError } from "../../runtime/sqlite/store-error.ts";
import { SqliteStore } from "./sqlite-store.ts";
import type { OpenedStore, StoreOptions } from "./store.ts";
import { storeDatabase } from "./store-database.ts";

/**
 * Opens everything stored, finishes what the last session left, and purges expired entries.
 * @throws StoreError `store_unwritable`, `store_other_version`, `store_corrupt`
 */
export function openStore(options: StoreOptions): OpenedStore {
  const now = options.wallClock.now();
  const database = storeDatabase(options.dataDir, now);
  const opened = openDatabase(database);
  try {
    return openOn(opened, options);
  } catch (error) {
    // Damage in a page that was not read before: a cleanly closed file is not read completely at
    // each start.
    if (opened.setAside !== null || !comesOfDamage(error)) throw error;
  }
  return openOn(replaceDatabase(database), options);
}

/** @throws StoreError; then the file is closed */
function openOn(opened: OpenedDatabase, options: StoreOptions): OpenedStore {
  try {
    if (options.maxPages !== undefined) opened.db.pragma(`max_page_count = ${options.maxPages}`);
    const store = new SqliteStore(opened, options);
    const { setAside } = opened;
    return { store, setAside, ...store.begin(setAside !== null) };
  } catch (error) {
    opened.db.close();
    throw toStoreError(error);
  }
}
