import { FORMAT_VERSION, jsonLine, SALVAGE_FORMAT } from "../../main/audit-log/jsonl-format.ts";
import { DamagedLog, type FoundRecord } from "../../main/storage/index.ts";

export interface SalvageReport {
  /** Records whose hash matches their content. */
  readonly recovered: number;
  /** Records found whose hash does not match; they are marked. */
  readonly mismatched: number;
  readonly gaps: number;
  /** How many records the gaps represent. */
  readonly missing: number;
}

/** Lines are collected into chunks of this length. */
const CHUNK_CHARS = 65_536;

/**
 * What a damaged database still has of the log. Purged records are not brought back.
 *
 * @param salvagedAt milliseconds since the epoch, for the header
 * @param done called at the end
 * @throws StoreError `store_corrupt`; file system errors
 */
export async function* salvageLog(
  path: string,
  salvagedAt: number,
  done: (report: SalvageReport) => void,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const log = new DamagedLog(path);
  try {
    let purgedThrough = 0;
    for await (const { entry, sound } of log.all()) {
      const { record } = entry;
      if (sound && record.kind === "checkpoint") purgedThrough = record.purged_through_seq;
    }
    const lines = new SalvagedLines(purgedThrough);
    const salvaged_at = new Date(salvagedAt).toISOString();
    let text = jsonLine({ format: SALVAGE_FORMAT, version: FORMAT_VERSION, salvaged_at });
    for await (const found of log.all()) {
      if (found.entry.seq > purgedThrough) text += lines.next(found);
      if (text.length < CHUNK_CHARS) continue;
      yield encoder.encode(text);
      text = "";
    }
    yield encoder.encode(text + lines.end(log.rememberedSeq));
    done(lines.report);
  } finally {
    log.close();
  }
}

/** The lines in order, with one for each gap between sound records. */
class SalvagedLines {
  #next: number;
  #recovered = 0;
  #mismatched = 0;
  #gaps = 0;
  #missing = 0;

  constructor(purgedThrough: number) {
    this.#next = purgedThrough + 1;
  }

  get report(): SalvageReport {
    return {
      recovered: this.#recovered,
      mismatched: this.#mismatched,
      gaps: this.#gaps,
      missing: this.#missing,
    };
  }

  next({ entry, sound }: FoundRecord): string {
    const { seq, prev_hash, hash, record } = entry;
    if (!sound) {
      this.#mismatched += 1;
      return jsonLine({ seq, prev_hash, hash, record, mismatch: true });
    }
    const gap = this.#gapBefore(seq);
    this.#recovered += 1;
    this.#next = seq + 1;
    return gap + jsonLine({ seq, prev_hash, hash, record });
  }

  end(rememberedSeq: number): string {
    return this.#gapBefore(rememberedSeq + 1);
  }

  #gapBefore(seq: number): string {
    if (seq <= this.#next) return "";
    this.#gaps += 1;
    this.#missing += seq - this.#next;
    return jsonLine({ gap: { first_seq: this.#next, last_seq: seq - 1 } });
  }
}
