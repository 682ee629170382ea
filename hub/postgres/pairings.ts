import type { StoredPairing } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { addRelation } from "./agent-operations.ts";
import { addAgentIn, agentIn, putRelationIn } from "./agents.ts";
import type { HubPool } from "./database.ts";
import { keysIn, putKeys } from "./keys.ts";

type Operations = Pick<
  HubStorage,
  | "openPairing"
  | "pairing"
  | "pairingsWaiting"
  | "closePairing"
  | "acceptPairing"
  | "collectPairing"
>;

const PAIRING = `SELECT pairing_id, user_id, shown, token_hash, agent_token_hash, expires_at, status,
  agent_id, forget_at FROM pairings`;

export function pairingOperations(pool: HubPool): Operations {
  return {
    openPairing: (pairing, most, now) =>
      pool.transaction(async (tx) => {
        const { pairing_id, user_id, shown, token_hash, agent_token_hash, expires_at } = pairing;
        await tx.all("DELETE FROM pairings WHERE forget_at < $1", now);
        // There is no row of the person's to lock.
        await tx.all("SELECT pg_advisory_xact_lock(hashtextextended($1, 2))", user_id);
        const rows = await tx.all(
          `INSERT INTO pairings (pairing_id, user_id, shown, token_hash, agent_token_hash, expires_at)
           SELECT $1::text, $2::text, $3::jsonb, $4::bytea, $5::bytea, $6::bigint
           WHERE (SELECT count(*) FROM pairings
             WHERE user_id = $2 AND status = 'waiting' AND expires_at > $7::bigint) < $8::integer
           RETURNING 1`,
          pairing_id,
          user_id,
          { json: shown },
          token_hash,
          agent_token_hash,
          expires_at,
          now,
          most,
        );
        return rows.length > 0;
      }),
    pairing: (pairingId) => pool.one<StoredPairing>(`${PAIRING} WHERE pairing_id = $1`, pairingId),
    pairingsWaiting: (userId, now) =>
      pool.all<StoredPairing>(
        `${PAIRING} WHERE user_id = $1 AND status = 'waiting' AND expires_at > $2 ORDER BY ordinal`,
        userId,
        now,
      ),
    async closePairing(pairingId, status, forgetAt) {
      const rows = await pool.all(
        `UPDATE pairings SET status = $2, forget_at = $3
         WHERE pairing_id = $1 AND status = 'waiting' RETURNING 1`,
        pairingId,
        status,
        forgetAt,
      );
      return rows.length > 0;
    },
    acceptPairing: (pairingId, agent, card, relation, forgetAt) =>
      pool.transaction(async (tx) => {
        const waiting = await tx.one(
          "SELECT 1 FROM pairings WHERE pairing_id = $1 AND status = 'waiting' FOR UPDATE",
          pairingId,
        );
        if (waiting === undefined) return null;
        if ((await agentIn(tx, agent.agent_id)) !== undefined) return undefined;
        await addAgentIn(tx, agent);
        if (card !== undefined) await putKeys(tx, card);
        await addRelation(tx, relation);
        await putRelationIn(tx, relation);
        await tx.all(
          `UPDATE pairings SET status = 'accepted', agent_id = $2, forget_at = $3
           WHERE pairing_id = $1`,
          pairingId,
          agent.agent_id,
          forgetAt,
        );
        return { personCard: (await keysIn(tx, relation.user_id))?.identity_card ?? null };
      }),
    async collectPairing(agentId, forgetAt) {
      await pool.all(
        `UPDATE pairings SET status = 'collected', forget_at = $2
         WHERE agent_id = $1 AND status = 'accepted'`,
        agentId,
        forgetAt,
      );
    },
  };
}
