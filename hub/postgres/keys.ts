import { KEY_LIMITS } from "../../app/protocol/v1/key-rest.ts";
import type { OwnersKeys, PublishedIdentity } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { ACTIVE } from "./conversations.ts";
import type { HubPool, Statements } from "./database.ts";
import type { InTurn } from "./in-turn.ts";

type Operations = Pick<
  HubStorage,
  "publishKeys" | "keysOf" | "takeBundle" | "sharingWith" | "ledger" | "appendLedger"
>;

const KEYS = `SELECT k.*, (SELECT count(*) FROM one_time_prekeys p WHERE p.owner_id = k.owner_id)
  AS "oneTimeLeft" FROM identity_keys k WHERE owner_id = $1`;

export const keysIn = (db: Statements, ownerId: string) => db.one<OwnersKeys>(KEYS, ownerId);

export async function putKeys(db: Statements, identity: PublishedIdentity): Promise<void> {
  const { owner_id, key_id, identity_card, signed_prekey } = identity;
  await db.all(
    `INSERT INTO identity_keys (owner_id, key_id, identity_card, signed_prekey)
     VALUES ($1, $2, $3, $4) ON CONFLICT (owner_id) DO UPDATE SET key_id = excluded.key_id,
       identity_card = excluded.identity_card, signed_prekey = excluded.signed_prekey`,
    owner_id,
    key_id,
    identity_card,
    signed_prekey,
  );
}

/** Those in one conversation with this member, in which both are active. */
export const sharingIn = (db: Statements, memberId: string) =>
  db.all<{ member_id: string; key_id: string | null }>(
    `WITH shared AS (SELECT c.conversation_id, c.owner_id FROM members m
       JOIN conversations c USING (conversation_id) WHERE m.member_id = $1 AND ${ACTIVE})
     SELECT DISTINCT m.member_id, k.key_id FROM shared c JOIN members m USING (conversation_id)
       LEFT JOIN identity_keys k ON k.owner_id = m.member_id
     WHERE m.member_id <> $1 AND ${ACTIVE} ORDER BY m.member_id`,
    memberId,
  );

async function keysFor(db: Statements, ownerId: string, askerId: string) {
  if (ownerId === askerId) return keysIn(db, ownerId);
  const shared = await db.one(
    `SELECT 1 FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.member_id = $1 AND ${ACTIVE} AND conversation_id IN
       (SELECT m.conversation_id FROM members m WHERE m.member_id = $2 AND ${ACTIVE}) LIMIT 1`,
    ownerId,
    askerId,
  );
  return shared === undefined ? undefined : keysIn(db, ownerId);
}

/** One at a time for each owner, also before there is a row to lock. */
const lockKeys = (tx: Statements, ownerId: string) =>
  tx.all("SELECT pg_advisory_xact_lock(hashtextextended($1, 1))", ownerId);

export function keyOperations(pool: HubPool, inTurn: InTurn): Operations {
  return {
    publishKeys: (owner, identity, oneTimePrekeys, changing) =>
      pool.transaction(async (tx) => {
        await lockKeys(tx, owner.id);
        const before = await keysIn(tx, owner.id);
        const isChanged = before !== undefined && before.key_id !== identity.key_id;
        if (isChanged) {
          changing();
          await tx.all("DELETE FROM one_time_prekeys WHERE owner_id = $1", owner.id);
          if (owner.type === "human") {
            await tx.all(
              `DELETE FROM ledger_entries WHERE relation_id IN
                 (SELECT relation_id FROM h2a_relations WHERE user_id = $1)`,
              owner.id,
            );
          }
        }
        await putKeys(tx, identity);
        const room = KEY_LIMITS.oneTimeKept - (isChanged ? 0 : (before?.oneTimeLeft ?? 0));
        for (const prekey of oneTimePrekeys.slice(0, Math.max(0, room))) {
          await tx.all(
            "INSERT INTO one_time_prekeys (owner_id, prekey) VALUES ($1, $2) ON CONFLICT DO NOTHING",
            owner.id,
            prekey,
          );
        }
        return { isChanged, oneTimeLeft: (await keysIn(tx, owner.id))?.oneTimeLeft ?? 0 };
      }),
    keysOf: (ownerId, askerId) => keysFor(pool, ownerId, askerId),
    takeBundle: (ownerId, askerId) =>
      inTurn(ownerId, () =>
        pool.transaction(async (tx) => {
          await lockKeys(tx, ownerId);
          const keys = await keysFor(tx, ownerId, askerId);
          const signedPrekey = keys?.signed_prekey ?? null;
          if (keys === undefined || signedPrekey === null) return undefined;
          const taken = await tx.one<{ prekey: Uint8Array }>(
            `DELETE FROM one_time_prekeys WHERE prekey_row = (SELECT prekey_row FROM one_time_prekeys
             WHERE owner_id = $1 ORDER BY prekey_row LIMIT 1)
           RETURNING prekey`,
            ownerId,
          );
          const oneTimeLeft = (await keysIn(tx, ownerId))?.oneTimeLeft ?? 0;
          const { identity_card } = keys;
          return { identity_card, signedPrekey, oneTimePrekey: taken?.prekey ?? null, oneTimeLeft };
        }),
      ),
    sharingWith: async (memberId) =>
      (await sharingIn(pool, memberId)).map(({ member_id }) => member_id),
    async ledger(relationId, from) {
      const rows = await pool.all<{ entry: Uint8Array; entry_index: number }>(
        "SELECT entry FROM ledger_entries WHERE relation_id = $1 AND entry_index >= $2 ORDER BY entry_index",
        relationId,
        from,
      );
      return { entries: rows.map(({ entry }) => entry), length: await lengthOf(pool, relationId) };
    },
    async appendLedger(relationId, index, entry) {
      const kept = await pool.all(
        `INSERT INTO ledger_entries (relation_id, entry_index, entry)
         SELECT $1, $2::integer, $3::bytea FROM (SELECT count(*) AS length, coalesce(sum(length(entry)), 0) AS bytes
           FROM ledger_entries WHERE relation_id = $1) so_far
         WHERE so_far.length = $2::integer AND so_far.length < $4::integer
           AND bytes + octet_length($3::bytea) <= $5::integer
         ON CONFLICT DO NOTHING RETURNING 1`,
        relationId,
        index,
        entry,
        KEY_LIMITS.ledgerEntries,
        KEY_LIMITS.ledgerBytes,
      );
      return { isKept: kept.length > 0, length: await lengthOf(pool, relationId) };
    },
  };
}

async function lengthOf(db: Statements, relationId: string): Promise<number> {
  const found = await db.one<{ length: number }>(
    "SELECT count(*) AS length FROM ledger_entries WHERE relation_id = $1",
    relationId,
  );
  return found?.length ?? 0;
}
