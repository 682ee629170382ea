import { createHash } from "node:crypto";
import pg from "pg";
import type { HubStorage } from "../hub-storage.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import type { StorageOptions } from "../storage/open-storage.ts";

const SERVER = process.env.CONSENTRY_TEST_POSTGRES ?? "postgres://postgres@127.0.0.1:5432/postgres";

const onServer = (sql: string): Promise<void> => onTestDatabase(SERVER, sql);

/** @param address a database's */
export async function onTestDatabase(address: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}

/** Whether tests that need a PostgreSQL can run; `CONSENTRY_TEST_POSTGRES` or the usual port. */
export const hasPostgres: boolean = await onServer("SELECT 1").then(
  () => true,
  () => {
    console.warn("no PostgreSQL to test with: its tests are skipped");
    return false;
  },
);

const made = new Set<string>();

/** The address of a database of this test's own, the same for the same path. */
export async function testDatabase(path: string): Promise<string> {
  const name = `test_${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
  if (!made.has(name)) await onServer(`CREATE DATABASE ${name}`);
  made.add(name);
  const url = new URL(SERVER);
  url.pathname = name;
  return url.href;
}

export const openTestPostgres = async (options: StorageOptions): Promise<HubStorage> =>
  openPostgres(await testDatabase(options.databasePath), options);

/** Drops what was made. */
export async function dropTestDatabases(): Promise<void> {
  for (const name of made) await onServer(`DROP DATABASE ${name} WITH (FORCE)`);
  made.clear();
}
