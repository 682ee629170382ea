import type { HubDatabase } from "./open-database.ts";

/** A value that is made once and then stays: the local person's id, the token secret. */
export function settingOrCreate(
  db: HubDatabase,
  name: string,
  create: () => Uint8Array,
): Uint8Array {
  const read = db.prepare<[string], { value: Uint8Array }>(
    "SELECT value FROM settings WHERE name = ?",
  );
  return db
    .transaction(() => {
      const present = read.get(name);
      if (present !== undefined) return present.value;
      const value = create();
      db.prepare("INSERT INTO settings (name, value) VALUES (?, ?)").run(name, value);
      return value;
    })
    .immediate();
}
