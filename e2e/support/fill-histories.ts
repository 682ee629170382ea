import { join } from "node:path";
import Database from "better-sqlite3";

/** As much as the client keeps of one agent's messages. */
const KEPT_BYTES = 64 * 1_048_576;

/** As after much writing: of every agent that wrote anything, as much is kept as may be. */
export function fillHistories(dataDir: string): void {
  const db = new Database(join(dataDir, "consentry.db"));
  db.prepare("UPDATE kept_bytes SET bytes = ?").run(KEPT_BYTES);
  db.close();
}
