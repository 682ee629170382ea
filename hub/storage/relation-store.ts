import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { HubDatabase } from "./open-database.ts";

interface RelationRow extends Omit<RelationView, "granted_scopes"> {
  /** JSON array. */
  readonly granted_scopes: string;
}

export interface RelationStore {
  find(relationId: string): RelationView | undefined;
  between(agentId: string, userId: string): RelationView | undefined;
  ofUser(userId: string): readonly RelationView[];
  activeOfAgent(agentId: string): readonly RelationView[];
  /** Inserts, or replaces scopes and status of the same relation id. */
  put(relation: RelationView): void;
}

export function relationStore(db: HubDatabase): RelationStore {
  const find = db.prepare<[string], RelationRow>("SELECT * FROM relations WHERE relation_id = ?");
  const between = db.prepare<[string, string], RelationRow>(
    "SELECT * FROM relations WHERE agent_id = ? AND user_id = ?",
  );
  const ofUser = db.prepare<[string], RelationRow>(
    "SELECT * FROM relations WHERE user_id = ? ORDER BY rowid",
  );
  const ofAgent = db.prepare<[string], RelationRow>(
    "SELECT * FROM relations WHERE agent_id = ? AND status = 'active' ORDER BY rowid",
  );
  const put = db.prepare<[RelationRow]>(
    `INSERT INTO relations (relation_id, agent_id, user_id, conversation_id, granted_scopes, status)
     VALUES (@relation_id, @agent_id, @user_id, @conversation_id, @granted_scopes, @status)
     ON CONFLICT (relation_id) DO UPDATE SET granted_scopes = excluded.granted_scopes, status = excluded.status`,
  );
  return {
    find: (relationId) => viewOf(find.get(relationId)),
    between: (agentId, userId) => viewOf(between.get(agentId, userId)),
    ofUser: (userId) => ofUser.all(userId).map(relationView),
    activeOfAgent: (agentId) => ofAgent.all(agentId).map(relationView),
    put: (relation) =>
      void put.run({ ...relation, granted_scopes: JSON.stringify(relation.granted_scopes) }),
  };
}

const relationView = (row: RelationRow): RelationView => ({
  ...row,
  granted_scopes: JSON.parse(row.granted_scopes) as string[],
});

const viewOf = (row: RelationRow | undefined): RelationView | undefined =>
  row === undefined ? undefined : relationView(row);
