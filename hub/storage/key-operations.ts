import { KEY_LIMITS } from "../../app/protocol/v1/key-rest.ts";
import type { OwnersKeys, PublishedIdentity } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { ACTIVE } from "./conversation-rows.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";

type Operations = Pick<HubStorage, "publishKeys" | "keysOf" | "takeBundle" | "sharingWith">;

export function keyOperations(db: HubDatabase, commits: GroupCommit) {
  const find = db.prepare<[string], OwnersKeys>(
    `SELECT *, (SELECT count(*) FROM one_time_prekeys p WHERE p.owner_id = k.owner_id) AS oneTimeLeft
     FROM identity_keys k WHERE owner_id = ?`,
  );
  const put = db.prepare<[PublishedIdentity]>(
    `INSERT INTO identity_keys (owner_id, key_id, identity_card, signed_prekey)
     VALUES (@owner_id, @key_id, @identity_card, @signed_prekey)
     ON CONFLICT (owner_id) DO UPDATE SET key_id = excluded.key_id,
       identity_card = excluded.identity_card, signed_prekey = excluded.signed_prekey`,
  );
  const dropOneTime = db.prepare<[string]>("DELETE FROM one_time_prekeys WHERE owner_id = ?");
  const add = db.prepare<[string, Uint8Array]>(
    "INSERT OR IGNORE INTO one_time_prekeys (owner_id, prekey) VALUES (?, ?)",
  );
  const take = db
    .prepare<[string], Uint8Array>(
      `DELETE FROM one_time_prekeys WHERE prekey_row =
         (SELECT min(prekey_row) FROM one_time_prekeys WHERE owner_id = ?) RETURNING prekey`,
    )
    .pluck();
  const forgetLedgers = db.prepare<[string]>(
    `DELETE FROM ledger_entries WHERE relation_id IN
       (SELECT relation_id FROM h2a_relations WHERE user_id = ?)`,
  );
  // Those in one conversation with this member, in which both are active.
  const sharing = db.prepare<[{ member: string }], { member_id: string; key_id: string | null }>(
    `WITH shared AS (SELECT c.conversation_id, c.owner_id FROM members m
       JOIN conversations c USING (conversation_id) WHERE m.member_id = @member AND ${ACTIVE})
     SELECT DISTINCT m.member_id, k.key_id FROM shared c JOIN members m USING (conversation_id)
       LEFT JOIN identity_keys k ON k.owner_id = m.member_id
     WHERE m.member_id <> @member AND ${ACTIVE} ORDER BY m.member_id`,
  );
  const isShared = db.prepare<[string, string], unknown>(
    `SELECT 1 FROM members m JOIN conversations c USING (conversation_id)
     WHERE m.member_id = ? AND ${ACTIVE} AND conversation_id IN
       (SELECT conversation_id FROM members m WHERE m.member_id = ? AND ${ACTIVE}) LIMIT 1`,
  );
  const keysFor = (ownerId: string, askerId: string): OwnersKeys | undefined =>
    ownerId === askerId || isShared.get(ownerId, askerId) !== undefined
      ? find.get(ownerId)
      : undefined;

  const operations: Operations = {
    publishKeys: async (owner, identity, oneTimePrekeys, changing) =>
      commits.now(() => {
        const before = find.get(owner.id);
        const isChanged = before !== undefined && before.key_id !== identity.key_id;
        if (isChanged) {
          changing();
          dropOneTime.run(owner.id);
          if (owner.type === "human") forgetLedgers.run(owner.id);
        }
        put.run(identity);
        const room = KEY_LIMITS.oneTimeKept - (isChanged ? 0 : (before?.oneTimeLeft ?? 0));
        for (const prekey of oneTimePrekeys.slice(0, Math.max(0, room))) add.run(owner.id, prekey);
        return { isChanged, oneTimeLeft: find.get(owner.id)?.oneTimeLeft ?? 0 };
      }),
    keysOf: async (ownerId, askerId) => keysFor(ownerId, askerId),
    takeBundle: async (ownerId, askerId) =>
      commits.now(() => {
        const keys = keysFor(ownerId, askerId);
        const signedPrekey = keys?.signed_prekey ?? null;
        if (keys === undefined || signedPrekey === null) return undefined;
        const oneTimePrekey = take.get(ownerId) ?? null;
        const oneTimeLeft = Math.max(0, keys.oneTimeLeft - 1);
        return { identity_card: keys.identity_card, signedPrekey, oneTimePrekey, oneTimeLeft };
      }),
    sharingWith: async (memberId) =>
      sharing.all({ member: memberId }).map(({ member_id }) => member_id),
  };
  return {
    operations,
    find: (ownerId: string) => find.get(ownerId),
    put: (identity: PublishedIdentity): void => void put.run(identity),
    sharing: (member: string) => sharing.all({ member }),
  };
}

export function ledgerOperations(
  db: HubDatabase,
  commits: GroupCommit,
): Pick<HubStorage, "ledger" | "appendLedger"> {
  const size = db.prepare<[string], { length: number; bytes: number }>(
    `SELECT count(*) AS length, coalesce(sum(length(entry)), 0) AS bytes
     FROM ledger_entries WHERE relation_id = ?`,
  );
  const sizeOf = (relationId: string) => size.get(relationId) ?? { length: 0, bytes: 0 };
  const entries = db
    .prepare<[string, number], Uint8Array>(
      `SELECT entry FROM ledger_entries WHERE relation_id = ? AND entry_index >= ?
       ORDER BY entry_index`,
    )
    .pluck();
  const append = db.prepare<[string, number, Uint8Array]>(
    "INSERT INTO ledger_entries (relation_id, entry_index, entry) VALUES (?, ?, ?)",
  );
  return {
    ledger: async (relationId, from) => ({
      entries: entries.all(relationId, from),
      length: sizeOf(relationId).length,
    }),
    appendLedger: async (relationId, index, entry) =>
      commits.now(() => {
        const { length, bytes } = sizeOf(relationId);
        const hasRoom =
          length < KEY_LIMITS.ledgerEntries && bytes + entry.length <= KEY_LIMITS.ledgerBytes;
        if (index !== length || !hasRoom) return { isKept: false, length };
        append.run(relationId, index, entry);
        return { isKept: true, length: length + 1 };
      }),
  };
}
