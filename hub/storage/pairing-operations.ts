import type { NewPairing, StoredPairing } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { GroupCommit } from "./group-commit.ts";
import type { HubDatabase } from "./open-database.ts";

type Row = Omit<StoredPairing, "shown"> & { readonly shown: string };

/** Agents that ask to be added; `accept` is part of a larger transaction. */
export function pairingRows(db: HubDatabase) {
  const forget = db.prepare<[number]>("DELETE FROM pairings WHERE forget_at < ?");
  const open = db.prepare<[Row & { most: number; now: number }]>(
    `INSERT INTO pairings (pairing_id, user_id, shown, token_hash, agent_token_hash, expires_at)
     SELECT @pairing_id, @user_id, @shown, @token_hash, @agent_token_hash, @expires_at
     WHERE (SELECT count(*) FROM pairings
       WHERE user_id = @user_id AND status = 'waiting' AND expires_at > @now) < @most`,
  );
  const find = db.prepare<[string], Row>("SELECT * FROM pairings WHERE pairing_id = ?");
  const waiting = db.prepare<[string, number], Row>(
    `SELECT * FROM pairings WHERE user_id = ? AND status = 'waiting' AND expires_at > ?
     ORDER BY ordinal`,
  );
  const close = db.prepare<[string, string | null, number, string]>(
    `UPDATE pairings SET status = ?, agent_id = ?, forget_at = ?
     WHERE pairing_id = ? AND status = 'waiting'`,
  );
  const collect = db.prepare<[number, string]>(
    `UPDATE pairings SET status = 'collected', forget_at = ?
     WHERE agent_id = ? AND status = 'accepted'`,
  );
  return {
    open(pairing: NewPairing, most: number, now: number): boolean {
      forget.run(now);
      const row = { ...pairing, shown: JSON.stringify(pairing.shown) } as Row;
      return open.run({ ...row, most, now }).changes > 0;
    },
    find: (id: string) => find.all(id).map(parsed)[0],
    waiting: (userId: string, now: number) => waiting.all(userId, now).map(parsed),
    close: (id: string, status: string, forgetAt: number, agentId: string | null = null): boolean =>
      close.run(status, agentId, forgetAt, id).changes > 0,
    collect: (agentId: string, forgetAt: number): boolean =>
      collect.run(forgetAt, agentId).changes > 0,
  };
}

// `open` wrote it.
const parsed = (row: Row): StoredPairing => ({ ...row, shown: JSON.parse(row.shown) });

export function pairingOperations(
  pairings: ReturnType<typeof pairingRows>,
  commits: GroupCommit,
): Pick<
  HubStorage,
  "openPairing" | "pairing" | "pairingsWaiting" | "closePairing" | "collectPairing"
> {
  return {
    openPairing: async (...asked) => commits.now(() => pairings.open(...asked)),
    pairing: async (id) => pairings.find(id),
    pairingsWaiting: async (userId, now) => pairings.waiting(userId, now),
    closePairing: async (id, status, at) => commits.now(() => pairings.close(id, status, at)),
    async collectPairing(agentId, forgetAt) {
      commits.now(() => pairings.collect(agentId, forgetAt));
    },
  };
}
