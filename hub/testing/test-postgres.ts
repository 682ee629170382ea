import { createHash } from "node:crypto";
import pg from "pg";
import { OwnPostgres } from "../../tests/servers/own-postgres.ts";
import type { HubStorage } from "../hub-storage.ts";
import { openPostgres } from "../postgres/open-postgres.ts";
import type { StorageOptions } from "../storage/open-storage.ts";

const USUAL = "postgres://postgres@127.0.0.1:5432/postgres";

/** @param address a database's @returns what it found */
export async function onTestDatabase(address: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: address, connectionTimeoutMillis: 2_000 });
  await client.connect();
  try {
    return (await client.query<object>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** `CONSENTRY_TEST_POSTGRES`, the one at the usual port, or one of this process's own. */
async function findServer(): Promise<string | undefined> {
  const named = process.env.CONSENTRY_TEST_POSTGRES;
  if (named !== undefined) return named;
  const isThere = await onTestDatabase(USUAL, "SELECT 1").then(
    () => true,
    () => false,
  );
  if (isThere) return USUAL;
  const own = await OwnPostgres.start("fsync=off");
  if (own === undefined) console.warn("no PostgreSQL to test with: its tests are skipped");
  return own?.url;
}

const server = await findServer();
const onServer = (sql: string): Promise<readonly object[]> => onTestDatabase(server ?? "", sql);

/** Whether tests that need a PostgreSQL can run. */
export const hasPostgres: boolean = server !== undefined;

const made = new Set<string>();

/** The address of a database of this test's own, the same for the same path. */
export async function testDatabase(path: string): Promise<string> {
  const name = `test_${createHash("sha256").update(path).digest("hex").slice(0, 16)}`;
  if (!made.has(name)) await onServer(`CREATE DATABASE ${name}`);
  made.add(name);
  const url = new URL(server ?? "");
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
