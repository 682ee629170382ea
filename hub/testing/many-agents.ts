import { openDatabase } from "../storage/open-database.ts";
import { hashToken } from "../tokens/access-token.ts";
import { type HubRig, sampleManifest } from "./hub-rig.ts";

export const MANY_TOKEN = `hsk_${"m".repeat(40)}`;
export const manyId = (at: number): string => `many-${at}`;

/**
 * 500 agents with active relations, written into the hub's file while it is closed: asking for each
 * over REST would take seconds. The first has the token `MANY_TOKEN`.
 */
export async function crowd(rig: HubRig): Promise<void> {
  const { userId } = rig.hub;
  await rig.hub.close();
  const { db } = openDatabase(rig.file, Date.now());
  const agent = db.prepare("INSERT INTO agents VALUES (?, ?, 'Agent', ?, ?, 1, 'hash', 0)");
  const talk = db.prepare(
    "INSERT INTO conversations (conversation_id, type, owner_id) VALUES (?, 'h2a', ?)",
  );
  const relation = db.prepare(
    `INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, granted_scopes, status)
     VALUES (?, ?, ?, ?, '[]', 'active')`,
  );
  const manifest = JSON.stringify(sampleManifest());
  db.transaction(() => {
    for (let at = 0; at < 500; at += 1) {
      const id = manyId(at);
      agent.run(id, userId, at === 0 ? hashToken(MANY_TOKEN) : Buffer.from(id), manifest);
      talk.run(`talk-${id}`, userId);
      relation.run(`relation-${id}`, id, userId, `talk-${id}`);
    }
  })();
  db.close();
  await rig.restart();
}
