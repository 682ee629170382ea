import { join } from "node:path";
import Database from "better-sqlite3";
import { SignJWT } from "jose";

/** What the owner of a data folder can do there: make the hub's access token for its person. */
export async function personToken(dataDir: string): Promise<string> {
  const db = new Database(join(dataDir, "hub.db"), { readonly: true });
  const value = (name: string) => {
    const row = db
      .prepare<[string], { value: Buffer }>("SELECT value FROM settings WHERE name = ?")
      .get(name);
    if (row === undefined) throw new Error(`the hub has no ${name}`);
    return row.value;
  };
  const token = await new SignJWT()
    .setProtectedHeader({ alg: "HS256" })
    .setSubject(value("local_user_id").toString())
    .setAudience("consentry-hub")
    .setIssuedAt()
    .setExpirationTime("5m")
    .sign(value("access_token_secret"));
  db.close();
  return token;
}

/** A group conversation of the person and this agent, which no screen makes yet. @returns its id */
export async function newGroup(hub: string, dataDir: string, agentId: string): Promise<string> {
  const response = await fetch(`${hub}/conversations`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${await personToken(dataDir)}`,
      "content-type": "application/json",
    },
    body: JSON.stringify({ type: "group", agent_ids: [agentId] }),
  });
  const { data } = (await response.json()) as { data: { conversation_id: string } };
  return data.conversation_id;
}
