import type { Account, Invitation } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { HubPool, Statements } from "./database.ts";

type Operations = Pick<
  HubStorage,
  "account" | "accounts" | "invite" | "join" | "setAccountStatus" | "removeAccount"
>;

const find = (db: Statements, userId: string) =>
  db.one<Account>("SELECT * FROM accounts WHERE user_id = $1", userId);

/** Whether an agent, or keys, have this id. */
export const isTakenIn = async (db: Statements, id: string): Promise<boolean> =>
  (await db.one(
    `SELECT 1 FROM agents WHERE agent_id = $1
     UNION ALL SELECT 1 FROM identity_keys WHERE owner_id = $1 LIMIT 1`,
    id,
  )) !== undefined;

export function accountOperations(pool: HubPool): Operations {
  return {
    account: (userId) => find(pool, userId),
    accounts: () => pool.all<Account>("SELECT * FROM accounts ORDER BY created_at, user_id"),
    invite: ({ token_hash, name, role, expires_at }, now) =>
      pool.transaction(async (tx) => {
        await tx.all("DELETE FROM invitations WHERE expires_at < $1", now);
        await tx.all(
          "INSERT INTO invitations (token_hash, name, role, expires_at) VALUES ($1, $2, $3, $4)",
          token_hash,
          name,
          role,
          expires_at,
        );
      }),
    join: (tokenHash, { user_id, key_id, created_at }) =>
      pool.transaction(async (tx) => {
        const invited = await tx.one<Invitation>(
          "SELECT * FROM invitations WHERE token_hash = $1 FOR UPDATE",
          tokenHash,
        );
        if (invited === undefined || invited.expires_at < created_at) return undefined;
        const present = await find(tx, user_id);
        if (invited.used_by !== null) {
          return invited.used_by === user_id && present?.key_id === key_id ? present : undefined;
        }
        if (present !== undefined || (await isTakenIn(tx, user_id))) return undefined;
        const { name, role } = invited;
        await tx.all(
          `INSERT INTO accounts (user_id, name, role, status, key_id, created_at)
           VALUES ($1, $2, $3, 'active', $4, $5)`,
          user_id,
          name,
          role,
          key_id,
          created_at,
        );
        await tx.all(
          "UPDATE invitations SET used_by = $1 WHERE token_hash = $2",
          user_id,
          tokenHash,
        );
        return { user_id, name, role, status: "active", key_id, created_at } as const;
      }),
    async setAccountStatus(userId, status) {
      await pool.all("UPDATE accounts SET status = $1 WHERE user_id = $2", status, userId);
      return find(pool, userId);
    },
    removeAccount: async (userId) =>
      (await pool.all("DELETE FROM accounts WHERE user_id = $1 RETURNING 1", userId)).length > 0,
  };
}
