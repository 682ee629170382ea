import { rmSync } from "node:fs";
import { join } from "node:path";
import Database from "better-sqlite3";
import { expect, test } from "vitest";
import { ScratchFolder } from "../../main/testing/scratch-folder.ts";
import { initial } from "./migrations/0001-initial.ts";
import { queues } from "./migrations/0002-queues.ts";
import { openStorage } from "./open-storage.ts";

const scratch = ScratchFolder.forEachTest();

const TOKEN_HASH = Buffer.alloc(32, 7);

/** A database as the second version left it. */
function olderDatabase(): string {
  const file = join(scratch.base, "hub.db");
  const old = new Database(file);
  old.exec(initial);
  old.exec(queues);
  old.pragma("user_version = 2");
  old.prepare("INSERT INTO agents VALUES ('a', 'u', 'A', ?, '{}', 3, 'h', 0)").run(TOKEN_HASH);
  old.exec("INSERT INTO conversations VALUES ('c', 'h2a', 'u', 5)");
  old.exec(`INSERT INTO relations VALUES ('r', 'a', 'u', 'c', '["x"]', 'active')`);
  old.close();
  return file;
}

const opened = (databasePath: string) =>
  openStorage({
    databasePath,
    clock: { now: () => Date.now() },
    random: (bytes) => Buffer.alloc(bytes, 1),
    log: () => undefined,
    formerUserId: "u",
  });

test("relations of a database from before stay as they are, and may be suspended now", async () => {
  const storage = await opened(olderDatabase());
  const relation = {
    relation_id: "r",
    agent_id: "a",
    user_id: "u",
    conversation_id: "c",
    granted_scopes: ["x"],
    status: "active",
    connection_mode: "websocket",
    reauth: null,
    answer: null,
  } as const;
  expect(await storage.relationsOf({ id: "u", type: "human" })).toEqual([relation]);
  const changed = {
    ...relation,
    status: "suspended",
    reauth: { manifest_version: 4, scopes: ["x"] },
    answer: { capability_manifest_version: 3, accepted: true },
  } as const;
  await storage.changeRelation({ relation_id: "r" }, () => ({ relation: changed, events: [] }));
  expect(await storage.relation("r")).toEqual(changed);
  await storage.close();
});

test("agents of a database from before are found by their tokens", async () => {
  const storage = await opened(olderDatabase());
  const holder = { agent_id: "a", isRemoved: false };
  expect(await storage.agentWithToken(TOKEN_HASH)).toEqual(holder);
  expect(await storage.agentWithToken(Buffer.alloc(32, 8))).toBeUndefined();
  await storage.close();
});

test("tables and columns have the platform's names, and a relation without a choice granted nothing", async () => {
  const storage = await opened(olderDatabase());
  await storage.close();
  const db = new Database(join(scratch.base, "hub.db"));
  const agent = db.prepare("SELECT * FROM agents").get();
  expect(agent).toMatchObject({
    capability_manifest: "{}",
    capability_manifest_version: 3,
    capability_manifest_hash: "h",
  });
  db.exec(`INSERT INTO agents VALUES ('b', 'u', 'B', x'00', '{}', 1, 'h', 0);
    INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, status)
      VALUES ('s', 'b', 'u', 'c', 'active')`);
  const scopes = db
    .prepare("SELECT granted_scopes FROM h2a_relations ORDER BY relation_id")
    .pluck();
  expect(scopes.all()).toEqual(['["x"]', "[]"]);
  db.close();
});

test("a copy from before is enough to restore a database that was lost", async () => {
  const file = olderDatabase();
  await (await opened(file)).close();
  const copy = new Database(`${file}.copy`);
  copy.exec(`ALTER TABLE copy_h2a_relations RENAME TO copy_relations;
    ALTER TABLE copy_agents RENAME COLUMN capability_manifest TO manifest;
    ALTER TABLE copy_agents RENAME COLUMN capability_manifest_version TO manifest_version;
    ALTER TABLE copy_agents RENAME COLUMN capability_manifest_hash TO manifest_hash;`);
  copy.close();
  rmSync(file);
  const storage = await opened(file);
  expect(await storage.agentWithToken(TOKEN_HASH)).toEqual({ agent_id: "a", isRemoved: false });
  expect(await storage.relation("r")).toMatchObject({ agent_id: "a", granted_scopes: ["x"] });
  await storage.close();
});
