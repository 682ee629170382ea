import pg from "pg";
import { faultOf } from "../hub-error.ts";
import {
  type Beat,
  joinPieces,
  type Nodes,
  piecesOf,
  type Reached,
  type Wakes,
} from "../hub-nodes.ts";
import type { Log, Scheduler } from "../hub-options.ts";
import type { HubPool } from "./database.ts";
import { LANE_S } from "./messages.ts";

/** A node that has not said for this long that it is alive is dead. */
const DEAD_S = 20;
const OTHERS = "SELECT node_id FROM connected WHERE subject_id = $1 AND node_id <> $2";

/** Who is connected where, in tables that are not logged: what they say is true while the nodes live. */
export function nodesIn(pool: HubPool, id: string, wakes: () => Promise<Wakes>): Nodes {
  const nodeIds = (rows: readonly { readonly node_id: string }[]) => rows.map((row) => row.node_id);
  async function reenter(subjectIds: readonly string[]): Promise<void> {
    await pool.all(
      "INSERT INTO nodes VALUES ($1, now()) ON CONFLICT (node_id) DO UPDATE SET seen = now()",
      id,
    );
    // Nobody knows what they were not told meanwhile.
    await pool.all(
      `INSERT INTO connected AS c (subject_id, node_id, ordinal, revision)
       SELECT s, $1, nextval('connection_ordinals'), 1e15::bigint FROM unnest($2::text[]) s
       ON CONFLICT (subject_id, node_id) DO UPDATE SET revision = c.revision + 1`,
      id,
      subjectIds,
    );
  }
  return {
    id,
    wakes,
    async enter(subjectId) {
      const own = await pool.one<{ ordinal: number; revision: number }>(
        `INSERT INTO connected (subject_id, node_id, ordinal)
         VALUES ($1, $2, nextval('connection_ordinals')) ON CONFLICT (subject_id, node_id)
         DO UPDATE SET ordinal = excluded.ordinal RETURNING ordinal, revision`,
        subjectId,
        id,
      );
      // Who was about to store a message for the subject may not have seen that row, and holds this one.
      await pool.all("SELECT 1 FROM recipients WHERE recipient_id = $1 FOR SHARE", subjectId);
      const elsewhere = nodeIds(await pool.all<{ node_id: string }>(OTHERS, subjectId, id));
      return { ordinal: own?.ordinal ?? 0, revision: own?.revision ?? 0, elsewhere };
    },
    async leave(subjectId, ordinal) {
      await pool.all(
        "DELETE FROM connected WHERE subject_id = $1 AND node_id = $2 AND ordinal <= $3",
        subjectId,
        id,
        ordinal,
      );
      const left = "SELECT 1 FROM connected WHERE subject_id = $1 LIMIT 1";
      return (await pool.one(left, subjectId)) !== undefined;
    },
    async connected(ids) {
      const rows = await pool.all<{ subject_id: string }>(
        "SELECT DISTINCT subject_id FROM connected WHERE subject_id = ANY ($1)",
        ids,
      );
      return new Set(rows.map(({ subject_id }) => subject_id));
    },
    reach: (ids, isChange) =>
      pool.all<Reached>(
        isChange
          ? `UPDATE connected SET revision = revision + 1 WHERE (subject_id, node_id) IN (
               SELECT subject_id, node_id FROM connected
               WHERE subject_id = ANY ($1) AND node_id <> $2 ORDER BY 1, 2 FOR UPDATE)
             RETURNING subject_id, node_id, revision`
          : `SELECT subject_id, node_id, revision FROM connected
             WHERE subject_id = ANY ($1) AND node_id <> $2`,
        ids,
        id,
      ),
    others: async () =>
      nodeIds(
        await pool.all<{ node_id: string }>("SELECT node_id FROM nodes WHERE node_id <> $1", id),
      ),
    async beat(subjectIds): Promise<Beat> {
      const alive = await pool.all(
        "UPDATE nodes SET seen = now() WHERE node_id = $1 RETURNING 1",
        id,
      );
      if (alive.length === 0) await reenter(subjectIds);
      await pool.all(
        `UPDATE lane_owners SET until = now() + make_interval(secs => $2)
         WHERE node_id = $1 AND until > now()`,
        id,
        LANE_S,
      );
      const dead = await pool.all<{ node_id: string }>(
        "DELETE FROM nodes WHERE seen < now() - make_interval(secs => $1) RETURNING node_id",
        DEAD_S,
      );
      const left =
        dead.length === 0
          ? []
          : await pool.all<{ subject_id: string }>(
              "DELETE FROM connected WHERE node_id = ANY ($1) RETURNING subject_id",
              nodeIds(dead),
            );
      // What it had stored when it died, it may have told nobody.
      if (dead.length > 0) await pool.all("UPDATE connected SET revision = revision + 1");
      const here = await pool.all<Beat["here"][number]>(
        `SELECT subject_id, ordinal, revision, coalesce(last_delivery, 0) AS last_delivery
         FROM connected LEFT JOIN recipients ON recipient_id = subject_id WHERE node_id = $1`,
        id,
      );
      return { here, left: left.map(({ subject_id }) => subject_id) };
    },
    idleLanes: () =>
      pool.all(
        `SELECT agent_id, w.conversation_id FROM webhooks JOIN LATERAL (
           SELECT conversation_id FROM queues WHERE recipient_id = agent_id AND waiting > 0
           UNION SELECT conversation_id FROM webhook_events e WHERE e.agent_id = webhooks.agent_id
         ) w ON true
         WHERE NOT EXISTS (SELECT 1 FROM lane_owners o WHERE o.agent_id = webhooks.agent_id
           AND o.conversation_id = w.conversation_id AND o.until > now())`,
      ),
  };
}

/** PostgreSQL takes payloads of less than 8,000 bytes. */
const PAYLOAD_CHARS = 7_800;
const RECONNECT_MS = 1_000;

/**
 * NOTIFY on a connection of its own: inside the transactions it would make all of them commit one after the
 * other. While the connection is away nothing is told, and the nodes find by asking.
 */
export async function notifyWakes(
  connectionString: string,
  nodeId: string,
  scheduler: Scheduler,
  log: Log,
): Promise<Wakes> {
  let receive: (piece: string) => void = () => undefined;
  let client: pg.Client | undefined;
  let isClosed = false;
  let batches = 0;
  let waiting: { readonly node: string; readonly piece: string }[] = [];
  let isTelling = false;
  let cancel: () => void = () => undefined;
  /** One query at a time; what comes meanwhile goes with the next. */
  async function tell(): Promise<void> {
    isTelling = true;
    try {
      while (client !== undefined && waiting.length > 0) {
        const batch = waiting.splice(0);
        await client.query(
          `SELECT pg_notify(node, piece) FROM unnest($1::text[], $2::text[]) WITH ORDINALITY
             AS told (node, piece, at) ORDER BY at`,
          [batch.map(({ node }) => node), batch.map(({ piece }) => piece)],
        );
      }
    } catch (error) {
      log({ code: "wake_lost", fault: faultOf(error) });
    } finally {
      waiting = [];
      isTelling = false;
    }
  }
  async function connect(): Promise<void> {
    const fresh = new pg.Client({ connectionString });
    const lost = (): void => {
      if (isClosed || cancelIsSet) return;
      client = undefined;
      cancelIsSet = true;
      cancel = scheduler.after(RECONNECT_MS, () => {
        cancelIsSet = false;
        connect().catch((error: unknown) => log({ code: "wakes_away", fault: faultOf(error) }));
      });
    };
    fresh.on("error", lost);
    fresh.on("end", lost);
    fresh.on("notification", ({ payload = "" }) => receive(payload));
    try {
      await fresh.connect();
      await fresh.query(`LISTEN "${nodeId}"`);
      client = fresh;
      if (isClosed) await fresh.end();
    } catch (error) {
      lost();
      throw error;
    }
  }
  let cancelIsSet = false;
  await connect();
  return {
    wake(nodes, recipients) {
      batches += 1;
      const pieces = piecesOf(`${nodeId}:${batches}`, recipients, PAYLOAD_CHARS);
      for (const node of nodes) waiting.push(...pieces.map((piece) => ({ node, piece })));
      if (!isTelling) void tell();
    },
    onWake(listener) {
      receive = joinPieces(listener);
    },
    async close() {
      isClosed = true;
      cancel();
      await client?.end();
    },
  };
}
