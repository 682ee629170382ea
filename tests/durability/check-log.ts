import { hash } from "node:crypto";
import { type ChainedRecord, isAboutCall } from "../../app/audit/audit-record.ts";
import { recordHash } from "../../app/audit/hash-chain.ts";
import { purgeBefore } from "../../app/audit/retention.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import type { Acknowledged } from "./writer-lines.ts";

/** A promise was broken. The message names records by id and number. */
export class LogFault extends Error {
  override readonly name = "LogFault";
}

const sha256 = (text: string): string => hash("sha256", text);

/** What is learned by walking part of the log. */
export interface Stretch {
  readonly head: ChainHead;
  readonly records: number;
  /** Ids of the calls whose outcome is that they were interrupted. */
  readonly interrupted: readonly string[];
}

/**
 * Walks the records after `from`: each must follow the one before, have a hash that matches its
 * content, and occur once; every call that began must have ended; and what was acknowledged must
 * have the number and hash with which it was acknowledged.
 *
 * @throws LogFault
 */
export function checkStretch(
  records: Iterable<ChainedRecord>,
  from: ChainHead,
  acknowledged: readonly Acknowledged[],
): Stretch {
  const promised = new Map(acknowledged.map((each) => [each.seq, each]));
  if (promised.size !== acknowledged.length) throw new LogFault("two records share a number");
  const walk = new Walk(from);
  for (const entry of records) {
    walk.step(entry);
    const promise = promised.get(entry.seq);
    if (promise === undefined) continue;
    keepsPromise(entry, promise);
    promised.delete(entry.seq);
  }
  const [lost] = promised.values();
  if (lost !== undefined) {
    throw new LogFault(`${promised.size} lost, first ${lost.kind} ${lost.call_id} (${lost.seq})`);
  }
  return walk.end();
}

/**
 * A purge may only have deleted what had expired.
 * @param first the number of the oldest remaining record
 * @param now milliseconds, on the purge's clock or later
 * @returns those that must still exist
 * @throws LogFault
 */
export function keptOf(
  acknowledged: readonly Acknowledged[],
  first: number,
  now: number,
): readonly Acknowledged[] {
  const early = acknowledged.find(
    ({ seq, timestamp }) => seq < first && timestamp >= purgeBefore(now),
  );
  if (early !== undefined) throw new LogFault(`purged early: ${early.call_id} (${early.seq})`);
  return acknowledged.filter(({ seq }) => seq >= first);
}

class Walk {
  #head: ChainHead;
  #records = 0;
  readonly #open = new Set<string>();
  readonly #seen = new Set<string>();
  readonly #interrupted: string[] = [];

  constructor(from: ChainHead) {
    this.#head = from;
  }

  step({ seq, prev_hash, hash: own, record }: ChainedRecord): void {
    if (seq !== this.#head.seq + 1) throw new LogFault(`${seq} follows ${this.#head.seq}`);
    if (prev_hash !== this.#head.hash) throw new LogFault(`${seq} is not linked`);
    if (own !== recordHash(seq, prev_hash, record, sha256)) throw new LogFault(`${seq} changed`);
    this.#head = { seq, hash: own };
    this.#records += 1;
    if (!isAboutCall(record)) return;
    const once = `${record.kind} ${record.call_id}`;
    if (this.#seen.has(once)) throw new LogFault(`${once} is there twice (${seq})`);
    this.#seen.add(once);
    if (record.kind === "intent") this.#open.add(record.call_id);
    else this.#open.delete(record.call_id);
    if (record.kind === "outcome" && record.reason === "interrupted") {
      this.#interrupted.push(record.call_id);
    }
  }

  end(): Stretch {
    const [unfinished] = this.#open;
    if (unfinished !== undefined) throw new LogFault(`${unfinished} was never finished`);
    return { head: this.#head, records: this.#records, interrupted: this.#interrupted };
  }
}

function keepsPromise({ seq, hash: own, record }: ChainedRecord, promise: Acknowledged): void {
  const same =
    record.kind === promise.kind && record.call_id === promise.call_id && own === promise.hash;
  if (!same) throw new LogFault(`${promise.kind} ${promise.call_id} is not at ${seq} any more`);
}
