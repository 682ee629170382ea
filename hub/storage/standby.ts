import { createHash } from "node:crypto";
import Database from "better-sqlite3";
import { errorKind } from "../../app/contract/coded-error.ts";
import { digestOf } from "../../app/contract/digest.ts";
import { checkOwnDatabase, makeOwnFile, setAsideDatabase } from "../../runtime/files/own-file.ts";

/** A database that opens, but does not contain what it must. */
export const damagedError = errorKind<"hub" | "standby">("DamagedError");

/**
 * True for SQLite's errors about a file that is damaged or not a database, and about a schema that
 * does not fit our own statements.
 */
export const isDamage = (error: unknown): boolean =>
  damagedError.is(error) ||
  (error instanceof Database.SqliteError &&
    (error.code.startsWith("SQLITE_CORRUPT") ||
      error.code === "SQLITE_NOTADB" ||
      error.code === "SQLITE_ERROR"));

/**
 * What the hub cannot do without, in the order in which it can be restored: its agents, the hashes of
 * their tokens, their relations with the person, and what was signed. Messages and read positions are
 * not included.
 */
const COPIED = {
  settings: ["name", "value"],
  agents: [
    ...["agent_id", "owner_id", "name", "token_hash"],
    ...["capability_manifest", "capability_manifest_version", "capability_manifest_hash"],
    "created_at",
  ],
  conversations: ["conversation_id", "type", "owner_id", "title", "created_by"],
  members: ["conversation_id", "member_id", "member_type"],
  h2a_relations: [
    ...["relation_id", "agent_id", "user_id", "conversation_id"],
    ...["granted_scopes", "status", "reauth", "answer"],
  ],
  webhooks: ["agent_id", "url", "secret"],
  identity_keys: ["owner_id", "key_id", "identity_card", "signed_prekey"],
  ledger_entries: ["relation_id", "entry_index", "entry"],
  notices: ["notice_id", "user_id", "frame"],
  accounts: ["user_id", "name", "role", "status", "key_id", "created_at"],
  invitations: ["token_hash", "name", "role", "expires_at", "used_by"],
} as const satisfies Record<string, readonly string[]>;
const TABLES = Object.keys(COPIED) as (keyof typeof COPIED)[];

/** A checksum of each row, which shows whether a copy is damaged. */
const DIGEST = "row_digest";

/**
 * Keeps a copy of the few rows that matter in a file next to `path`, within the transaction that
 * changes them. SQLite's triggers do it, so writers need no code for it.
 */
export class Standby {
  readonly #db: Database.Database;
  readonly #file: string;

  constructor(db: Database.Database, path: string, now: number) {
    this.#db = db;
    this.#file = `${path}.copy`;
    db.function(DIGEST, { deterministic: true, varargs: true }, digestOfRow);
    try {
      this.#attach();
    } catch (error) {
      if (!isDamage(error)) throw error;
      // Either the original still exists, or everything is already lost.
      setAsideDatabase(this.#file, now);
      this.#attach();
    }
  }

  /**
   * Whether rows that never change are unchanged. SQLite notices a damaged page, but not a wrong letter
   * in one: an agent's token would be refused without any visible reason. The note that the database
   * is open does change, and a crash can leave it in one of the two files.
   */
  holds(): boolean {
    const wrong = this.#db
      .prepare<[], { wrong: number }>(
        `SELECT EXISTS (SELECT 1 FROM copy_agents c LEFT JOIN agents a USING (agent_id)
             WHERE ${soundSql("agents", "c")}
               AND (a.token_hash, a.owner_id) IS NOT (c.token_hash, c.owner_id))
           OR EXISTS (SELECT 1 FROM copy_h2a_relations c LEFT JOIN h2a_relations r USING (relation_id)
             WHERE ${soundSql("h2a_relations", "c")} AND (r.agent_id, r.user_id, r.conversation_id)
               IS NOT (c.agent_id, c.user_id, c.conversation_id))
           OR EXISTS (SELECT 1 FROM copy_conversations c LEFT JOIN conversations n USING (conversation_id)
             WHERE ${soundSql("conversations", "c")} AND (n.type, n.owner_id) IS NOT (c.type, c.owner_id))
           OR EXISTS (SELECT 1 FROM copy_members c JOIN conversations n USING (conversation_id)
             WHERE n.type = 'h2a' AND ${soundSql("members", "c")} AND NOT EXISTS (
               SELECT 1 FROM members m WHERE (m.conversation_id, m.member_id, m.member_type) =
                 (c.conversation_id, c.member_id, c.member_type)))
           OR EXISTS (SELECT 1 FROM copy_settings c LEFT JOIN settings s USING (name)
             WHERE ${soundSql("settings", "c")} AND c.name <> 'open' AND s.value IS NOT c.value) AS wrong`,
      )
      .get();
    return wrong?.wrong === 0 && this.#manifestsHold();
  }

  /** Whether there is anything to restore. */
  hasRows(): boolean {
    const row = this.#db
      .prepare<[], { any: number }>("SELECT EXISTS (SELECT 1 FROM copy_settings) AS any")
      .get();
    return row?.any === 1;
  }

  /**
   * Restores the intact rows into an empty database.
   * @param now milliseconds since the epoch. Messages are numbered on from there: above every
   * number that was ever given, or members would take new messages for old ones
   */
  restore(now: number): void {
    // A row that refers to a damaged one is left out below.
    this.#db.pragma("foreign_keys = OFF");
    this.#db
      .transaction(() => {
        for (const table of TABLES) {
          const columns = COPIED[table].join(", ");
          this.#db.exec(
            `INSERT OR IGNORE INTO ${table} (${columns})
             SELECT ${columns} FROM copy_${table} c WHERE ${soundSql(table, "c")}`,
          );
        }
        this.#db.exec(WITHOUT_REFERENCE);
        this.#db.prepare("UPDATE conversations SET last_seq = ?").run(now);
      })
      .immediate();
    this.#db.pragma("foreign_keys = ON");
  }

  /** From now on the copy is what the database is. */
  follow(): void {
    this.#db
      .transaction(() => {
        for (const table of TABLES) {
          const columns = COPIED[table].join(", ");
          this.#db.exec(`DELETE FROM copy_${table}`);
          this.#db.exec(
            `INSERT INTO copy_${table} (${columns}, digest)
             SELECT ${columns}, ${digestSql(table)} FROM ${table}`,
          );
        }
      })
      .immediate();
    for (const table of TABLES) this.#db.exec(triggersOf(table));
  }

  #attach(): void {
    checkOwnDatabase(this.#file);
    makeOwnFile(this.#file);
    this.#db.prepare("ATTACH ? AS standby").run(this.#file);
    try {
      this.#db.pragma("standby.journal_mode = WAL");
      this.#db.pragma("standby.synchronous = NORMAL");
      this.#db.pragma("standby.secure_delete = ON");
      for (const table of TABLES) {
        // Columns of any type, and no rule between tables: a copy takes what there is.
        const columns = [...COPIED[table], "digest"].join(", ");
        this.#db.exec(`CREATE TABLE IF NOT EXISTS standby.copy_${table} (${columns})`);
      }
      const check = this.#db.pragma("standby.quick_check(1)", { simple: true });
      if (check !== "ok") throw damagedError("standby");
    } catch (error) {
      this.#db.exec("DETACH standby");
      throw error;
    }
  }

  #manifestsHold(): boolean {
    const rows = this.#db
      .prepare<[], { manifest: string; hash: string }>(
        "SELECT capability_manifest AS manifest, capability_manifest_hash AS hash FROM agents",
      )
      .all();
    return rows.every(({ manifest, hash }) => hashOf(manifest) === hash);
  }
}

const WITHOUT_REFERENCE = `
DELETE FROM h2a_relations WHERE agent_id NOT IN (SELECT agent_id FROM agents)
  OR conversation_id NOT IN (SELECT conversation_id FROM conversations);
DELETE FROM webhooks WHERE agent_id NOT IN (SELECT agent_id FROM agents);
DELETE FROM members WHERE conversation_id NOT IN (SELECT conversation_id FROM conversations);`;

/** The key columns of each table. */
const KEYS: Readonly<Partial<Record<keyof typeof COPIED, number>>> = {
  members: 2,
  ledger_entries: 2,
};

function triggersOf(table: keyof typeof COPIED): string {
  const columns = COPIED[table];
  const keys = columns.slice(0, KEYS[table] ?? 1);
  const values = columns.map((column) => `NEW.${column}`).join(", ");
  const add = `INSERT INTO copy_${table} (${columns.join(", ")}, digest)
    VALUES (${values}, ${DIGEST}(${values}));`;
  const drop = `DELETE FROM copy_${table} WHERE ${keys.map((key) => `${key} = OLD.${key}`).join(" AND ")};`;
  return `
CREATE TEMP TRIGGER standby_${table}_added AFTER INSERT ON main.${table} BEGIN ${add} END;
CREATE TEMP TRIGGER standby_${table}_gone AFTER DELETE ON main.${table} BEGIN ${drop} END;
CREATE TEMP TRIGGER standby_${table}_changed AFTER UPDATE OF ${columns.join(", ")} ON main.${table}
BEGIN ${drop} ${add} END;`;
}

const digestSql = (table: keyof typeof COPIED, alias = table as string): string =>
  `${DIGEST}(${COPIED[table].map((column) => `${alias}.${column}`).join(", ")})`;

const soundSql = (table: keyof typeof COPIED, alias: string): string =>
  `${alias}.digest = ${digestSql(table, alias)}`;

const digestOfRow = (...values: readonly unknown[]): string => {
  const plain = values.map((value) =>
    value instanceof Uint8Array ? { bytes: Buffer.from(value).toString("hex") } : value,
  );
  return createHash("sha256").update(JSON.stringify(plain)).digest("hex");
};

function hashOf(manifest: string): string | null {
  try {
    return digestOf(JSON.parse(manifest));
  } catch {
    return null;
  }
}
