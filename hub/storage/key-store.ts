import type { HubDatabase } from "./open-database.ts";

/** What an owner has published, as it published it. */
interface PublishedIdentity {
  readonly owner_id: string;
  /** Base64. */
  readonly key_id: string;
  readonly identity_card: Uint8Array;
  /** Null until the owner itself was here: an agent's card comes with its pairing. */
  readonly signed_prekey: Uint8Array | null;
}

export interface KeyStore {
  find(ownerId: string): PublishedIdentity | undefined;
  /** With another key than before, all older prekeys go. */
  put(identity: PublishedIdentity): void;
  addOneTime(ownerId: string, prekeys: readonly Uint8Array[]): void;
  left(ownerId: string): number;
  /** The oldest, once: it is gone when this returns it. */
  takeOneTime(ownerId: string): Uint8Array | null;
  /** Members of any of this member's conversations, active or not. */
  sharingWith(memberId: string): readonly string[];
  /** The conversations that both are in, active or not. */
  sharedBy(one: string, other: string): readonly string[];
}

export function keyStore(db: HubDatabase): KeyStore {
  const find = db.prepare<[string], PublishedIdentity>(
    "SELECT * FROM identity_keys WHERE owner_id = ?",
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
  const left = db
    .prepare<[string], number>("SELECT count(*) FROM one_time_prekeys WHERE owner_id = ?")
    .pluck();
  const take = db
    .prepare<[string], Uint8Array>(
      `DELETE FROM one_time_prekeys WHERE prekey_row =
         (SELECT min(prekey_row) FROM one_time_prekeys WHERE owner_id = ?) RETURNING prekey`,
    )
    .pluck();
  const sharingWith = db
    .prepare<[string], string>(
      `SELECT DISTINCT o.member_id FROM members m JOIN members o USING (conversation_id)
       WHERE m.member_id = ? AND o.member_id <> m.member_id ORDER BY o.member_id`,
    )
    .pluck();
  const sharedBy = db
    .prepare<[string, string], string>(
      `SELECT m.conversation_id FROM members m JOIN members o USING (conversation_id)
       WHERE m.member_id = ? AND o.member_id = ?`,
    )
    .pluck();
  return {
    find: (ownerId) => find.get(ownerId),
    put(identity) {
      if (find.get(identity.owner_id)?.key_id !== identity.key_id) {
        dropOneTime.run(identity.owner_id);
      }
      put.run(identity);
    },
    addOneTime(ownerId, prekeys) {
      for (const prekey of prekeys) add.run(ownerId, prekey);
    },
    left: (ownerId) => left.get(ownerId) ?? 0,
    takeOneTime: (ownerId) => take.get(ownerId) ?? null,
    sharingWith: (memberId) => sharingWith.all(memberId),
    sharedBy: (one, other) => sharedBy.all(one, other),
  };
}
