import type { ChainedRecord } from "../../../app/audit/audit-record.ts";
import { belongsAt } from "../../../app/audit/suspicion.ts";
import { FORMAT_VERSION, jsonLine, SALVAGE_FORMAT } from "../../../main/audit-log/jsonl-format.ts";
import { fastSha256 } from "../../../main/storage/index.ts";
import { type LeafRow, leafRows } from "./leaf-rows.ts";
import { PageImages } from "./page-images.ts";
import { type Found, RecordIndex } from "./record-index.ts";
import { entryOf, rememberedHead } from "./salvaged-entry.ts";

interface SalvageReport {
  /** Records whose hash matches their content. */
  readonly recovered: number;
  /** Records found whose hash does not match; they are marked. */
  readonly mismatched: number;
  readonly gaps: number;
  /** How many records the gaps represent. */
  readonly missing: number;
}

export interface Salvage {
  /** The lines of the file, in chunks. */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** What was found so far; final once all chunks have been read. */
  readonly report: () => SalvageReport;
}

/** Lines are collected into chunks of this length. */
const CHUNK_CHARS = 65_536;
/** Pages read before yielding to the event loop. */
const PAGES_AT_ONCE = 64;

/**
 * Reads the log from a damaged database without SQLite, which stops at damage. Every page that
 * still looks like a page of the log is read by itself, in the file and in the write-ahead log
 * beside it; only a record's own hash shows that it is unchanged. Purged records are not recovered.
 *
 * @param salvagedAt milliseconds since the epoch, for the header
 * @throws AuditFileError `not_a_database`, and file system errors, at the first chunk
 */
export function salvageLog(path: string, salvagedAt: number): Salvage {
  const lines = new SalvagedLines();
  return { chunks: salvage(path, salvagedAt, lines), report: () => lines.report };
}

async function* salvage(
  path: string,
  salvagedAt: number,
  lines: SalvagedLines,
): AsyncIterable<Uint8Array> {
  const encoder = new TextEncoder();
  const images = new PageImages(path);
  try {
    const survey = await surveyOf(images);
    yield encoder.encode(headerOf(salvagedAt));
    const pages = new LastPage(images);
    lines.begin(survey.purgedThrough);
    let text = "";
    for (const found of survey.index.inOrder()) {
      const entry = found.seq > survey.purgedThrough ? pages.entry(found) : null;
      if (entry !== null) text += lines.next(entry, found.sound);
      if (text.length < CHUNK_CHARS) continue;
      yield encoder.encode(text);
      text = "";
    }
    yield encoder.encode(text + lines.end(survey.remembered));
  } finally {
    images.close();
  }
}

const headerOf = (salvagedAt: number): string =>
  jsonLine({
    format: SALVAGE_FORMAT,
    version: FORMAT_VERSION,
    salvaged_at: new Date(salvagedAt).toISOString(),
  });

interface Survey {
  readonly index: RecordIndex;
  /** From the newest checkpoint; 0 if there is none. */
  readonly purgedThrough: number;
  /** Number of the last record known to the database; 0 if that cannot be read. */
  readonly remembered: number;
}

async function surveyOf(images: PageImages): Promise<Survey> {
  const index = new RecordIndex();
  let purgedThrough = 0;
  let remembered = 0;
  for (let image = 0; image < images.count; image += 1) {
    for (const [cell, row] of leafRows(images, image).entries()) {
      remembered = Math.max(remembered, rememberedHead(row)?.seq ?? 0);
      const entry = entryOf(row);
      if (entry === null) continue;
      const sound = belongsAt(entry, entry.seq, fastSha256);
      index.add({ seq: entry.seq, image, cell, sound });
      if (sound) purgedThrough = Math.max(purgedThrough, coveredBy(entry));
    }
    if (image % PAGES_AT_ONCE === 0) await new Promise((resolve) => setImmediate(resolve));
  }
  return { index, purgedThrough, remembered };
}

const coveredBy = ({ record }: ChainedRecord): number =>
  record.kind === "checkpoint" ? record.purged_through_seq : 0;

/** Records of one page are mostly adjacent, so the page is read once for all of them. */
class LastPage {
  readonly #images: PageImages;
  #image = -1;
  #rows: readonly LeafRow[] = [];

  constructor(images: PageImages) {
    this.#images = images;
  }

  entry({ image, cell }: Found): ChainedRecord | null {
    if (image !== this.#image) this.#rows = leafRows(this.#images, image);
    this.#image = image;
    const row = this.#rows[cell];
    return row === undefined ? null : entryOf(row);
  }
}

/** The lines in order, with one for each gap between valid records. */
class SalvagedLines {
  #due = 1;
  #recovered = 0;
  #mismatched = 0;
  #gaps = 0;
  #missing = 0;

  get report(): SalvageReport {
    return {
      recovered: this.#recovered,
      mismatched: this.#mismatched,
      gaps: this.#gaps,
      missing: this.#missing,
    };
  }

  begin(purgedThrough: number): void {
    this.#due = purgedThrough + 1;
  }

  next({ seq, prev_hash, hash, record }: ChainedRecord, sound: boolean): string {
    if (!sound) {
      this.#mismatched += 1;
      return jsonLine({ seq, prev_hash, hash, record, mismatch: true });
    }
    const gap = this.#gapBefore(seq);
    this.#recovered += 1;
    this.#due = seq + 1;
    return gap + jsonLine({ seq, prev_hash, hash, record });
  }

  end(remembered: number): string {
    return this.#gapBefore(remembered + 1);
  }

  #gapBefore(seq: number): string {
    if (seq <= this.#due) return "";
    this.#gaps += 1;
    this.#missing += seq - this.#due;
    return jsonLine({ gap: { first_seq: this.#due, last_seq: seq - 1 } });
  }
}
