import { expect, test } from "vitest";
import { openDatabase } from "./open-database.ts";

test("tables and columns have the platform's names, and a relation without a choice granted nothing", () => {
  const { db } = openDatabase(":memory:", 0);
  db.exec(`INSERT INTO agents VALUES ('a', 'u', 'A', x'00', '{}', 3, 'h', 0);
    INSERT INTO conversations (conversation_id, type, owner_id) VALUES ('c', 'h2a', 'u');
    INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, status)
      VALUES ('r', 'a', 'u', 'c', 'active')`);
  expect(db.prepare("SELECT * FROM agents").get()).toMatchObject({
    capability_manifest: "{}",
    capability_manifest_version: 3,
    capability_manifest_hash: "h",
  });
  expect(db.prepare("SELECT granted_scopes FROM h2a_relations").pluck().get()).toBe("[]");
  db.close();
});
