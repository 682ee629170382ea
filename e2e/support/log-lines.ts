import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import Database from "better-sqlite3";

const AUDIT = fileURLToPath(new URL("../../scripts/audit.ts", import.meta.url));

/** Fills the log of a new data folder with made-up calls. @param env where its anchor is kept */
export function seedLogIn(dataDir: string, records: number, env: Record<string, string>): void {
  const args = [AUDIT, "seed", String(records), "--data-dir", dataDir];
  const { status, stderr } = spawnSync(process.execPath, args, {
    encoding: "utf8",
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`seeding ended with ${status}: ${stderr}`);
}

/** How many lines the log has for the person to read: a call that ran is one. */
export function logLinesIn(dataDir: string): number {
  const db = new Database(join(dataDir, "consentry.db"), { readonly: true });
  try {
    return db.prepare<[], number>("SELECT count(*) FROM calls").pluck().get() ?? 0;
  } finally {
    db.close();
  }
}
