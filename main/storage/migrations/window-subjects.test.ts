import { mkdirSync } from "node:fs";
import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { canonicalJson } from "../../../app/contract/digest.ts";
import type { JsonValue } from "../../../app/contract/json.ts";
import { applyMigrations } from "../apply-migrations.ts";
import { agent, NOW, ScratchStore } from "../testing/scratch-store.ts";
import { MIGRATIONS } from "./migrations.ts";

const scratch = ScratchStore.forEachTest();

it("ends the quiet periods of before, leaves hosts the ports that pages have, and folders for as long as they were given", () => {
  mkdirSync(scratch.dataDir);
  const db = new Database(scratch.file);
  applyMigrations(
    db,
    MIGRATIONS.filter(({ version }) => version < 26),
  );
  const { grants, roots, hosts, manifest, reviewed_manifest, ...row } = agent();
  const text = canonicalJson(manifest as unknown as JsonValue);
  const { agent_id, manifest_hash } = row;
  const { channel: _, relation, ...then } = row;
  const columns = { ...then, ...relation, manifest: text, reviewed_manifest: text };
  const names = Object.keys(columns);
  db.prepare(
    `INSERT INTO agents (${names.join()}) VALUES (${names.map((name) => `@${name}`).join()})`,
  ).run(columns);
  db.prepare("INSERT INTO allowed_hosts VALUES (?, 'nas', ?)").run(agent_id, NOW);
  db.prepare("INSERT INTO silence_windows VALUES (?, 'c', 'network:http', ?, ?, ?)").run(
    ...[agent_id, manifest_hash, NOW, NOW],
  );
  db.prepare("INSERT INTO roots VALUES (?, 'root', '/home/ada', 'read_write', ?)").run(
    ...[agent_id, NOW],
  );
  db.close();

  const { store } = scratch.open();
  expect(store.agents.agent(agent_id)?.hosts).toEqual([
    { host: "nas", port: 80, added_at: NOW },
    { host: "nas", port: 443, added_at: NOW },
  ]);
  expect(store.agents.agent(agent_id)?.roots).toEqual([
    { root_id: "root", path: "/home/ada", access: "read_write", added_at: NOW },
  ]);
  expect(store.grants.quietPeriodsOf(agent_id)).toEqual([]);
  expect(store.agents.agent(agent_id)).toMatchObject({ channel: "hub", relation });
});
