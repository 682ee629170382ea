import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { applyMigrations } from "../apply-migrations.ts";
import { NOW, ScratchStore } from "../testing/scratch-store.ts";
import { MIGRATIONS } from "./migrations.ts";

const scratch = ScratchStore.forEachTest();

it("what was always denied is denied by a rule about anything", () => {
  mkdirSync(scratch.dataDir);
  const db = new Database(scratch.file);
  applyMigrations(
    db,
    MIGRATIONS.filter(({ version }) => version < 31),
  );
  db.prepare("INSERT INTO standing_rules VALUES ('agent-1', 'write_file', ?)").run(NOW);
  db.close();

  const { store } = scratch.open();
  expect(store.grants.rules("agent-1")).toMatchObject([
    {
      covers: "write_file",
      subject: { kind: "anything" },
      effect: "deny",
      ends_at: null,
      made_at: NOW,
      made_on: null,
      uses: 0,
    },
  ]);
});
