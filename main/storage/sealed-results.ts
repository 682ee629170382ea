import type { Database, Statement } from "better-sqlite3";
import type { JsonValue } from "../../app/contract/json.ts";
import { hkdf, hmacKey } from "../../runtime/crypto/hmac-sha256.ts";
import { openBytes, sealBytes } from "../../runtime/crypto/sealed-bytes.ts";
import type { CommitListener } from "./group-commit.ts";

/** Bytes of sealed results stored per agent; beyond that the oldest are dropped. */
export const SEALED_BYTES_PER_AGENT = 64 * 1_048_576;

/** Bytes of all results that an agent ever had, and of those that were deleted since. */
interface Extent {
  readonly total: number;
  readonly gone: number;
}

/**
 * Results, so that they can be repeated (contract §2.0). They are deleted from the oldest on, when an agent has
 * more than the limit or when the log forgets their calls.
 */
export class SealedResults implements CommitListener {
  readonly #limit: number;
  /** By agent, as the current write leaves it; read again after a rollback. */
  readonly #known = new Map<string, Extent>();
  readonly #extent: Statement<[{ readonly agent: string }], Extent>;
  readonly #add: Statement<[string, number, number, number, Uint8Array]>;
  readonly #dropOldest: Statement<[{ readonly agent: string }]>;
  readonly #find: Statement<[string, number], Uint8Array>;
  readonly #forget: Statement<[number, number]>;

  constructor(db: Database, limit: number) {
    this.#limit = limit;
    const endOf = (value: string, order: "ASC" | "DESC") =>
      `ifnull((SELECT ${value} FROM sealed_results WHERE agent_id = @agent
         ORDER BY outcome_seq ${order} LIMIT 1), 0)`;
    this.#extent = db.prepare(
      `SELECT ${endOf("total_bytes", "DESC")} AS total,
         ${endOf("total_bytes - sealed_bytes", "ASC")} AS gone`,
    );
    this.#add = db.prepare("INSERT INTO sealed_results VALUES (?, ?, ?, ?, ?)");
    this.#dropOldest = db.prepare(
      `DELETE FROM sealed_results WHERE agent_id = @agent AND outcome_seq =
         (SELECT min(outcome_seq) FROM sealed_results WHERE agent_id = @agent)`,
    );
    this.#find = db
      .prepare<[string, number], Uint8Array>(
        "SELECT sealed FROM sealed_results WHERE agent_id = ? AND outcome_seq = ?",
      )
      .pluck();
    this.#forget = db.prepare(
      `DELETE FROM sealed_results WHERE outcome_seq <= ? AND agent_id IN
         (SELECT DISTINCT agent_id FROM audit_log WHERE seq <= ? AND kind = 'outcome')`,
    );
  }

  /** Call it within a write. */
  add(agentId: string, outcomeSeq: number, sealed: Uint8Array): void {
    const bytes = sealed.length;
    let { total, gone } = this.#known.get(agentId) ?? this.#extentOf(agentId);
    while (total > gone && total - gone + bytes > this.#limit) {
      this.#dropOldest.run({ agent: agentId });
      ({ total, gone } = this.#extentOf(agentId));
    }
    total += bytes;
    this.#add.run(agentId, outcomeSeq, bytes, total, sealed);
    this.#known.set(agentId, { total, gone });
  }

  #extentOf(agentId: string): Extent {
    return this.#extent.get({ agent: agentId }) ?? { total: 0, gone: 0 };
  }

  find(agentId: string, outcomeSeq: number): Uint8Array | undefined {
    return this.#find.get(agentId, outcomeSeq);
  }

  /** Call it within a write, while the log still has the records. */
  removeThrough(seq: number): void {
    if (this.#forget.run(seq, seq).changes > 0) this.#known.clear();
  }

  restore(): void {
    this.#known.clear();
  }

  rolledBack(): void {
    this.#known.clear();
  }
}

/**
 * A stored result, as JSON, can be read only with the same call: its key is derived from the call's arguments,
 * which are never stored (contract §6), so the file alone is not enough. The key is HKDF-SHA256 (RFC 5869) over
 * the RFC 8785 form of the arguments, with agent id and call id as context.
 */
const SALT = hmacKey(Buffer.from("consentry/sealed-response/1", "utf8"));
const KEY_BYTES = 32;
/** The key says already for which call it is. */
const NO_CONTEXT = new Uint8Array(0);

interface SealedFor {
  readonly agentId: string;
  readonly callId: string;
  /** RFC 8785 form of the call's arguments. */
  readonly canonicalArguments: string;
}

/** @param random returns that many unpredictable bytes */
export const sealResult = (
  result: JsonValue,
  call: SealedFor,
  random: (bytes: number) => Uint8Array,
): Uint8Array =>
  sealBytes(keyFor(call), Buffer.from(JSON.stringify(result), "utf8"), NO_CONTEXT, random);

/** `undefined` if the arguments are not those it was sealed with, or the bytes were altered. */
export function openResult(sealed: Uint8Array, call: SealedFor): JsonValue | undefined {
  const opened = openBytes(keyFor(call), sealed, NO_CONTEXT);
  return opened === null ? undefined : JSON.parse(Buffer.from(opened).toString("utf8"));
}

/** A JSON list separates the two ids unambiguously. */
function keyFor({ canonicalArguments, agentId, callId }: SealedFor): Uint8Array {
  const context = Buffer.from(JSON.stringify([agentId, callId]), "utf8");
  return hkdf(SALT, Buffer.from(canonicalArguments, "utf8"), context, KEY_BYTES);
}
