import pg from "pg";
import { expect, it } from "vitest";
import { OwnPostgres } from "./own-postgres.ts";

const postgres = await OwnPostgres.start("fsync=off");

it.skipIf(postgres === undefined)(
  "a PostgreSQL of a test's own is killed, started again, and has what was committed",
  async () => {
    if (postgres === undefined) return;
    const ask = async (sql: string) => {
      const client = new pg.Client({ connectionString: postgres.url });
      client.on("error", () => undefined);
      await client.connect();
      try {
        return (await client.query<{ nth: number }>(sql)).rows.map(({ nth }) => nth);
      } finally {
        await client.end();
      }
    };
    await ask("CREATE TABLE kept (nth integer)");
    for (const [nth, signal] of (["SIGKILL", "SIGINT"] as const).entries()) {
      await ask(`INSERT INTO kept VALUES (${nth})`);
      await postgres.kill(signal);
      await expect(ask("SELECT 1 AS nth")).rejects.toMatchObject({ code: "ECONNREFUSED" });
      await postgres.start();
    }
    expect(await ask("SELECT nth FROM kept")).toEqual([0, 1]);
    await postgres.end();
    await expect(ask("SELECT 1 AS nth")).rejects.toMatchObject({ code: "ECONNREFUSED" });
  },
);
