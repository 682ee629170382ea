import { join } from "node:path";
import Database from "better-sqlite3";

/** How many messages the hub still holds the content of: those not everybody has received. */
export function messagesHeld(dataDir: string): number {
  const db = new Database(join(dataDir, "hub.db"), { readonly: true });
  try {
    const count = db
      .prepare<[], number>("SELECT count(*) FROM messages WHERE payload IS NOT NULL")
      .pluck();
    return count.get() ?? 0;
  } finally {
    db.close();
  }
}
