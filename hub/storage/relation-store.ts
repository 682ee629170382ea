import type { CapabilityChangedFrame } from "../../app/protocol/v1/frames.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import type { HubDatabase } from "./open-database.ts";

/** The person's last answer to a breaking manifest, as its agent is told. */
export type ReauthAnswer = Pick<
  CapabilityChangedFrame["payload"],
  "capability_manifest_version" | "accepted"
>;

/** How its agent is reached is no part of it: that is the agent's own. */
export interface Relation extends Omit<RelationView, "connection_mode"> {
  readonly answer: ReauthAnswer | null;
}

interface RelationRow extends Omit<Relation, "granted_scopes" | "reauth" | "answer"> {
  /** JSON, each. */
  readonly granted_scopes: string;
  readonly reauth: string | null;
  readonly answer: string | null;
}

export interface RelationStore {
  find(relationId: string): Relation | undefined;
  between(agentId: string, userId: string): Relation | undefined;
  ofUser(userId: string): readonly Relation[];
  ofAgent(agentId: string): readonly Relation[];
  /** Neither suspended nor revoked. */
  activeOfAgent(agentId: string): readonly Relation[];
  /** Inserts, or replaces all but the ids of the same relation id. */
  put(relation: Relation): void;
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
    "SELECT * FROM relations WHERE agent_id = ? ORDER BY rowid",
  );
  const put = db.prepare<[RelationRow]>(
    `INSERT INTO relations (relation_id, agent_id, user_id, conversation_id, granted_scopes, status, reauth, answer)
     VALUES (@relation_id, @agent_id, @user_id, @conversation_id, @granted_scopes, @status, @reauth, @answer)
     ON CONFLICT (relation_id) DO UPDATE SET granted_scopes = excluded.granted_scopes,
       status = excluded.status, reauth = excluded.reauth, answer = excluded.answer`,
  );
  return {
    find: (relationId) => maybe(find.get(relationId)),
    between: (agentId, userId) => maybe(between.get(agentId, userId)),
    ofUser: (userId) => ofUser.all(userId).map(relationOf),
    ofAgent: (agentId) => ofAgent.all(agentId).map(relationOf),
    activeOfAgent: (agentId) =>
      ofAgent
        .all(agentId)
        .filter(({ status }) => status === "active")
        .map(relationOf),
    put: (relation) => void put.run(rowOf(relation)),
  };
}

/** What `put` wrote. */
const relationOf = (row: RelationRow): Relation => ({
  ...row,
  granted_scopes: JSON.parse(row.granted_scopes) as string[],
  reauth: row.reauth === null ? null : (JSON.parse(row.reauth) as Relation["reauth"]),
  answer: row.answer === null ? null : (JSON.parse(row.answer) as ReauthAnswer),
});

const rowOf = (relation: Relation): RelationRow => ({
  ...relation,
  granted_scopes: JSON.stringify(relation.granted_scopes),
  reauth: relation.reauth === null ? null : JSON.stringify(relation.reauth),
  answer: relation.answer === null ? null : JSON.stringify(relation.answer),
});

const maybe = (row: RelationRow | undefined): Relation | undefined =>
  row === undefined ? undefined : relationOf(row);
