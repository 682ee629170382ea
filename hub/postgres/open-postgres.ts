import { hubError } from "../hub-error.ts";
import type { HubOptions, Log } from "../hub-options.ts";
import type { NewNotice } from "../hub-records.ts";
import type { HubStorage } from "../hub-storage.ts";
import { newId } from "../tokens/random-text.ts";
import { accountOperations } from "./accounts.ts";
import { agentOperations, numbered } from "./agent-operations.ts";
import { relationsIn } from "./agents.ts";
import { conversationOperations, withMembersIn } from "./conversations.ts";
import { openPool } from "./database.ts";
import { inTurn } from "./in-turn.ts";
import { keyOperations, keysIn, sharingIn } from "./keys.ts";
import { messageOperations } from "./messages.ts";
import { nodesIn, notifyWakes } from "./nodes.ts";
import { pairingOperations } from "./pairings.ts";

const TOKEN_SECRET_BYTES = 32;

type PostgresOptions = Pick<HubOptions, "random" | "scheduler" | "limits"> & { readonly log: Log };

/** The hub's storage in PostgreSQL 15 or newer. @throws HubError "database_unreachable", "database_other_version" */
export async function openPostgres(
  connectionString: string,
  { random, scheduler, log, limits = {} }: PostgresOptions,
): Promise<HubStorage> {
  const pool = await openPool(connectionString).catch((error: unknown) => {
    throw hubError.is(error) ? error : hubError("database_unreachable", { cause: error });
  });
  const setting = async (name: string, value: Uint8Array): Promise<Uint8Array> => {
    await pool.all(
      "INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING",
      name,
      value,
    );
    const found = await pool.one<{ value: Uint8Array }>(
      "SELECT value FROM settings WHERE name = $1",
      name,
    );
    return found?.value ?? value;
  };
  const turns = inTurn();
  const nodeId = newId(random);
  return {
    nodes: nodesIn(pool, nodeId, () => notifyWakes(connectionString, nodeId, scheduler, log)),
    localPerson: async (userId) =>
      Buffer.from(await setting("local_user_id", Buffer.from(userId))).toString("utf8"),
    tokenSecret: await setting("access_token_secret", random(TOKEN_SECRET_BYTES)),
    ...accountOperations(pool),
    ...agentOperations(pool),
    ...conversationOperations(pool, turns),
    ...messageOperations(pool, turns, limits, nodeId),
    ...keyOperations(pool, turns),
    ...pairingOperations(pool),
    async noticeReceived(userId, noticeId) {
      // An id is opaque to its holder, and "1x" or "01" is not 1.
      await pool.all(
        "DELETE FROM notices WHERE user_id = $1 AND notice_id::text = $2",
        userId,
        noticeId,
      );
    },
    snapshot: (subject) =>
      turns(subject.id, () =>
        pool.transaction(async (tx) => {
          const own = await keysIn(tx, subject.id);
          const keys = await sharingIn(tx, subject.id);
          const notices = await tx.all<{ notice_id: number; payload: NewNotice }>(
            "SELECT notice_id, payload FROM notices WHERE user_id = $1 ORDER BY notices.notice_id",
            subject.id,
          );
          return {
            relations: await relationsIn(tx, subject),
            conversations: await withMembersIn(tx, subject.id),
            keys: keys.flatMap(({ member_id: owner_id, key_id }) =>
              key_id === null ? [] : [{ owner_id, key_id }],
            ),
            oneTimeLeft: own === undefined || own.signed_prekey === null ? null : own.oneTimeLeft,
            notices: notices.map(({ notice_id, payload }) => numbered(notice_id, payload)),
          };
        }, true),
      ),
    close: () => pool.close(),
  };
}
