import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { applyMigrations } from "../apply-migrations.ts";
import { NOW, ScratchStore } from "../testing/scratch-store.ts";
import { MIGRATIONS } from "./migrations.ts";

const scratch = ScratchStore.forEachTest();

it("keeps the quiet periods of before, of which the call is not known", () => {
  mkdirSync(scratch.dataDir);
  const db = new Database(scratch.file);
  applyMigrations(
    db,
    MIGRATIONS.filter(({ version }) => version < 30),
  );
  db.prepare(
    `INSERT INTO silence_windows
       (agent_id, conversation_id, scope, subject, manifest_hash, opened_at, last_used_at)
     VALUES ('agent-1', 'c', 'filesystem:read', '{"kind":"scope"}', ?, ?, ?)`,
  ).run("a".repeat(64), NOW, NOW);
  db.close();
  const { store } = scratch.open();
  expect(store.grants.quietPeriodsOf("agent-1")).toMatchObject([
    { subject: { kind: "scope" }, opened_at: NOW, made_on: null },
  ]);
});
