import type { Relation, Subject } from "../hub-records.ts";
import type { HubDatabase } from "./open-database.ts";

interface RelationRow extends Omit<Relation, "granted_scopes" | "reauth" | "answer"> {
  /** JSON, each. */
  readonly granted_scopes: string;
  readonly reauth: string | null;
  readonly answer: string | null;
}

export function relationRows(db: HubDatabase) {
  const select = <Where extends string[]>(where: string) =>
    db.prepare<Where, RelationRow>(
      `SELECT r.*, iif(w.url IS NULL, 'websocket', 'webhook') AS connection_mode
       FROM h2a_relations r LEFT JOIN webhooks w USING (agent_id) WHERE ${where} ORDER BY r.rowid`,
    );
  const find = select<[string]>("r.relation_id = ?");
  const between = select<[string, string]>("r.agent_id = ? AND r.user_id = ?");
  const of = {
    human: select<[string]>("r.user_id = ?"),
    agent: select<[string]>("r.agent_id = ?"),
  };
  const put = db.prepare<[RelationRow]>(
    `INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer)
     VALUES (@relation_id, @agent_id, @user_id, @conversation_id, @granted_scopes, @status, @reauth, @answer)
     ON CONFLICT (relation_id) DO UPDATE SET granted_scopes = excluded.granted_scopes,
       status = excluded.status, reauth = excluded.reauth, answer = excluded.answer`,
  );
  return {
    find: (relationId: string) => maybe(find.get(relationId)),
    between: (agentId: string, userId: string) => maybe(between.get(agentId, userId)),
    of: ({ id, type }: Subject): readonly Relation[] => of[type].all(id).map(relationOf),
    put: (relation: Relation): void => void put.run(rowOf(relation)),
  };
}

/** What `put` wrote. */
const relationOf = (row: RelationRow): Relation => ({
  ...row,
  granted_scopes: JSON.parse(row.granted_scopes) as string[],
  reauth: row.reauth === null ? null : (JSON.parse(row.reauth) as Relation["reauth"]),
  answer: row.answer === null ? null : (JSON.parse(row.answer) as Relation["answer"]),
});

const rowOf = (relation: Relation): RelationRow => ({
  ...relation,
  granted_scopes: JSON.stringify(relation.granted_scopes),
  reauth: relation.reauth === null ? null : JSON.stringify(relation.reauth),
  answer: relation.answer === null ? null : JSON.stringify(relation.answer),
});

const maybe = (row: RelationRow | undefined): Relation | undefined =>
  row === undefined ? undefined : relationOf(row);
