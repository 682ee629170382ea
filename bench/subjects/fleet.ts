import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { hashToken, newAgentToken } from "../../hub/tokens/access-token.ts";
import type { CrowdPlan, FleetPerson } from "../processes/fleet-plan.ts";
import { startMeasured } from "./measured-process.ts";
import type { Subject } from "./subject.ts";
import { startTold, type ToldProcess } from "./told-process.ts";

const PEOPLE = 8;
const AGENTS_EACH = 2;
/** Who write and are written to. */
export const ACTIVE_AGENTS = PEOPLE * AGENTS_EACH;

export type HubNode = ToldProcess<string>;

export interface Fleet {
  readonly subject: Subject;
  readonly nodes: readonly HubNode[];
  /** The same people and agents, now at this node. */
  moved(to: string): Promise<Subject>;
}

export interface FleetOptions {
  readonly name: string;
  /** A file, or `postgres://…`. */
  readonly database: string;
  readonly nodes: number;
  /** How many of them are used; default: all. */
  readonly used?: number;
  readonly nats: string;
  readonly folder: string;
}

/** Nodes, each in a process of its own, and those who write in another. */
export async function startFleet(options: FleetOptions): Promise<Fleet> {
  const { name, database, nodes: count, used = count, nats, folder } = options;
  const nodes: HubNode[] = [];
  for (let at = 0; at < count; at += 1) {
    nodes.push(await startTold<string>("fleet-node.ts", [database, nats]));
  }
  const order = { ask: "people", count: PEOPLE, agentsEach: AGENTS_EACH };
  const people = (await nodes[0]?.tell<readonly FleetPerson[]>(order)) ?? [];
  const startLoad = (urls: readonly string[], what = name): Promise<Subject> => {
    const file = join(folder, `${what.replaceAll(/[^a-z0-9]+/gi, "-")}.json`);
    writeFileSync(file, JSON.stringify({ urls, people }), { mode: 0o600 });
    return startMeasured({ name, modes: [1, 32], entry: "fleet-load.ts", args: [file] });
  };
  const subject = await startLoad(nodes.slice(0, used).map(({ first }) => first));
  return {
    nodes,
    async moved(to) {
      await subject.close();
      return startLoad([to], `${name} moved`);
    },
    subject: {
      ...subject,
      async close() {
        await subject.close();
        await Promise.all(nodes.map((node) => node.close()));
      },
    },
  };
}

/** A new database on this server. @returns its address */
export async function createDatabase(server: string, name: string): Promise<string> {
  await onDatabase(server, (client) => client.query(`CREATE DATABASE ${name}`));
  const url = new URL(server);
  url.pathname = name;
  return url.href;
}

const PEOPLE_OF_CROWD = 100;

/** Agents of other people, put where the hub finds them: asking for each would take an hour. */
export async function seedAgents(database: string, count: number): Promise<CrowdPlan["agents"]> {
  const agents = Array.from({ length: count }, (_, nth) => ({
    agent_id: `crowd-${nth}`,
    token: newAgentToken(randomBytes),
  }));
  await onDatabase(database, async (client) => {
    await client.query(
      `INSERT INTO agents (agent_id, owner_id, name, token_hash, capability_manifest,
         capability_manifest_version, capability_manifest_hash, created_at)
       SELECT id, 'owner-' || at % ${PEOPLE_OF_CROWD}, id, hash,
         '{"schema_version":"1.0","agent_version":"1.0.0","tools":[],"permission_scopes":[],"capability_flags":{}}',
         1, '', 0
       FROM unnest($1::text[], $2::bytea[]) WITH ORDINALITY AS a (id, hash, at)`,
      [agents.map(({ agent_id }) => agent_id), agents.map(({ token }) => hashToken(token))],
    );
    const crowd = "FROM agents WHERE agent_id LIKE 'crowd-%'";
    await client.query(
      `INSERT INTO conversations (conversation_id, type, owner_id, created_by)
       SELECT 'talk-' || agent_id, 'h2a', owner_id, owner_id ${crowd}`,
    );
    await client.query(
      `INSERT INTO members (conversation_id, member_id, member_type)
       SELECT 'talk-' || agent_id, owner_id, 'human' ${crowd}
       UNION ALL SELECT 'talk-' || agent_id, agent_id, 'agent' ${crowd}`,
    );
    await client.query(
      `INSERT INTO h2a_relations (relation_id, agent_id, user_id, conversation_id, status)
       SELECT 'relation-' || agent_id, agent_id, owner_id, 'talk-' || agent_id, 'active' ${crowd}`,
    );
    await client.query("ANALYZE");
  });
  return agents;
}

async function onDatabase(
  database: string,
  work: (client: pg.Client) => Promise<unknown>,
): Promise<void> {
  const client = new pg.Client({ connectionString: database });
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
