import type { Account, Invitation } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";

type Operations = Pick<
  HubStorage,
  "account" | "accounts" | "invite" | "join" | "setAccountStatus" | "removeAccount"
>;

/** @param isTaken whether an agent, or keys, have this id */
export function accountOperations(
  db: HubDatabase,
  commits: GroupCommit,
  isTaken: (id: string) => boolean,
): Operations {
  const find = db.prepare<[string], Account>("SELECT * FROM accounts WHERE user_id = ?");
  const all = db.prepare<[], Account>("SELECT * FROM accounts ORDER BY created_at, user_id");
  const add = db.prepare<[Account]>(
    `INSERT INTO accounts (user_id, name, role, status, key_id, created_at)
     VALUES (@user_id, @name, @role, @status, @key_id, @created_at)`,
  );
  const setStatus = db.prepare<[string, string]>(
    "UPDATE accounts SET status = ? WHERE user_id = ?",
  );
  const remove = db.prepare<[string]>("DELETE FROM accounts WHERE user_id = ?");
  const invitation = db.prepare<[Uint8Array], Invitation>(
    "SELECT * FROM invitations WHERE token_hash = ?",
  );
  const invite = db.prepare<[Omit<Invitation, "used_by">]>(
    `INSERT INTO invitations (token_hash, name, role, expires_at)
     VALUES (@token_hash, @name, @role, @expires_at)`,
  );
  const use = db.prepare<[string, Uint8Array]>(
    "UPDATE invitations SET used_by = ? WHERE token_hash = ?",
  );
  const forget = db.prepare<[number]>("DELETE FROM invitations WHERE expires_at < ?");
  return {
    account: async (userId) => find.get(userId),
    accounts: async () => all.all(),
    invite: async (invited, now) =>
      commits.now(() => {
        forget.run(now);
        invite.run(invited);
      }),
    join: async (tokenHash, { user_id, key_id, created_at }) =>
      commits.now(() => {
        const invited = invitation.get(tokenHash);
        if (invited === undefined || invited.expires_at < created_at) return undefined;
        if (invited.used_by !== null) {
          const present = find.get(user_id);
          return invited.used_by === user_id && present?.key_id === key_id ? present : undefined;
        }
        if (find.get(user_id) !== undefined || isTaken(user_id)) return undefined;
        const { name, role } = invited;
        const account = { user_id, key_id, created_at, name, role, status: "active" } as const;
        add.run(account);
        use.run(user_id, tokenHash);
        return account;
      }),
    setAccountStatus: async (userId, status) =>
      commits.now(() => {
        setStatus.run(status, userId);
        return find.get(userId);
      }),
    removeAccount: async (userId) => commits.now(() => remove.run(userId).changes > 0),
  };
}
