import type { Migration } from "kysely/migration";
import pg from "pg";
import { hubError, refusal } from "../hub-error.ts";
import { retryAfter } from "../limits/agent-limits.ts";
import { tables } from "./migrations/0001-tables.ts";
import { messages } from "./migrations/0002-messages.ts";
import { nodes } from "./migrations/0003-nodes.ts";

/** In the order of their names. Once released, they are never changed or removed. */
const MIGRATIONS = { "0001": tables, "0002": messages, "0003": nodes } as const;
const CONNECTIONS = 10;
const ATTEMPTS = 5;
const CONNECT_MS = 5_000;
/** When a refused client may come again, in milliseconds. */
const AWAY_MS = 1_000;

/** Serialization failure, deadlock, and a unique key that another transaction was first with. */
const RETRIED = ["40001", "40P01", "23505"];

type Row = Readonly<Record<string, unknown>>;
type Json = { readonly json: unknown };
type Value = string | number | boolean | null | Uint8Array | readonly string[] | Json;

/** What PostgreSQL's text has no room for, U+0000, is written as U+FDD0 and 0; U+FDD0 as itself and 1. */
const written = (text: string): string =>
  /[\0\ufdd0]/.test(text) ? text.replaceAll("\ufdd0", "\ufdd01").replaceAll("\0", "\ufdd00") : text;
const read = (text: string): string =>
  text.includes("\ufdd0") ? text.replace(/\ufdd0([01])/g, (_, kind) => PLAIN[kind as "0"]) : text;
const PLAIN = { 0: "\0", 1: "\ufdd0" } as const;

const mapped = (value: unknown, each: (text: string) => string): unknown => {
  if (typeof value === "string") return each(value);
  if (Array.isArray(value)) return value.map((item) => mapped(item, each));
  if (typeof value !== "object" || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [each(key), mapped(item, each)]),
  );
};

const sent = (value: Value): unknown => {
  if (typeof value === "object" && value !== null && "json" in value) {
    return value.json === null ? null : JSON.stringify(mapped(value.json, written));
  }
  return mapped(value, written);
};

/** Statements on one connection or, outside a transaction, on any. Each text is prepared once. */
export interface Statements {
  all<Found = Row>(text: string, ...values: readonly Value[]): Promise<readonly Found[]>;
  one<Found = Row>(text: string, ...values: readonly Value[]): Promise<Found | undefined>;
}

const names = new Map<string, string>();
function statements(client: pg.Pool | pg.PoolClient): Statements {
  async function all<Found>(text: string, ...values: readonly Value[]) {
    const name = names.get(text) ?? `s${names.size}`;
    names.set(text, name);
    const { rows } = await client
      .query({ name, text, values: values.map(sent) })
      .catch(refuseIfAway);
    return rows.map((row) => mapped(row, read)) as readonly Found[];
  }
  return { all, one: async (text, ...values) => (await all<never>(text, ...values))[0] };
}

/** Connection failures, a server that shuts down or starts, and one that has no connection left. */
const AWAY = /^(08...|57P0[123]|53300)$/;

/** Not an answer of the database: it could not be asked, or its answer did not come. @throws Refusal UNAVAILABLE */
function refuseIfAway(error: unknown): never {
  const isAnswer = error instanceof pg.DatabaseError && !AWAY.test(error.code ?? "");
  throw isAnswer ? error : refusal("UNAVAILABLE", retryAfter(AWAY_MS));
}

export interface HubPool extends Statements {
  /** READ COMMITTED; a snapshot reads alone. Tried again when another transaction was in its way. */
  transaction<Result>(
    work: (tx: Statements) => Promise<Result>,
    isSnapshot?: boolean,
  ): Promise<Result>;
  close(): Promise<void>;
}

/** Again, a few times, when another transaction was in its way. */
export async function retried<Result>(work: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work();
    } catch (error) {
      const { code } = error as { readonly code?: string };
      if (attempt === ATTEMPTS || !RETRIED.includes(code ?? "")) throw error;
    }
  }
}

/** Numbers that are 64 bits wide are counted here, and stay far below 2^53. */
const TYPES: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format: "text" | "binary") =>
    oid === pg.types.builtins.INT8 ? Number : pg.types.getTypeParser(oid, format)) as never,
};

/**
 * Connects, and migrates what is there to the newest version.
 * @throws HubError "database_other_version"
 */
export async function openPool(connectionString: string): Promise<HubPool> {
  const pool = new pg.Pool({
    connectionString,
    max: CONNECTIONS,
    connectionTimeoutMillis: CONNECT_MS,
    types: TYPES,
  });
  // A connection that breaks while nobody uses it is made anew.
  pool.on("error", () => undefined);

  async function once<Result>(begin: string, work: (tx: Statements) => Promise<Result>) {
    const client = await pool.connect().catch(refuseIfAway);
    let broken: Error | undefined;
    try {
      await client.query(begin).catch(refuseIfAway);
      const result = await work(statements(client));
      await client.query("COMMIT").catch(refuseIfAway);
      return result;
    } catch (error) {
      await client.query("ROLLBACK").catch((fault: Error) => {
        broken = fault;
      });
      throw error;
    } finally {
      client.release(broken);
    }
  }
  const transaction: HubPool["transaction"] = (work, isSnapshot = false) =>
    retried(() =>
      once(isSnapshot ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY" : "BEGIN", work),
    );
  try {
    await migrate(pool);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return { ...statements(pool), transaction, close: () => pool.end() };
}

/** All in one transaction; hubs that start at once take turns, by Kysely's advisory lock. */
async function migrate(pool: pg.Pool): Promise<void> {
  const [{ Kysely, PostgresDialect, sql }, { Migrator }] = await Promise.all([
    import("kysely"),
    import("kysely/migration"),
  ]);
  const db = new Kysely<unknown>({ dialect: new PostgresDialect({ pool }) });
  const migrations = Object.entries(MIGRATIONS).map(([name, text]): [string, Migration] => [
    name,
    { up: async (tx) => void (await sql.raw(text).execute(tx)) },
  ]);
  const provider = { getMigrations: async () => Object.fromEntries(migrations) };
  const { error } = await new Migrator({ db, provider }).migrateToLatest();
  if (error === undefined) return;
  const isNewer = error instanceof Error && error.message.startsWith("corrupted migrations");
  throw isNewer ? hubError("database_other_version", { cause: error }) : error;
}
