import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import { GENESIS_HASH } from "../../app/audit/hash-chain.ts";
import { firstLostOf, unacknowledged } from "../../app/audit/rollback.ts";
import { type ChainHead, type ChainVerdict, ChainVerifier } from "../../app/audit/verify-chain.ts";
import { type Anchor, fastSha256, type LogSource, storeError } from "../storage/index.ts";
import { columnsNamed, readCsvLine } from "./csv-format.ts";
import { isGap, type LogHeader, readEntry, readHeader } from "./jsonl-format.ts";
import { readLines } from "./split-lines.ts";
import { auditFileError } from "./write-aside.ts";

interface ExportedLog {
  /** Null for a CSV file, which has none, and for what was salvaged. */
  readonly header: LogHeader | null;
  /** A line that is no record comes as one that fits nowhere. */
  readonly entries: AsyncIterable<ChainedRecord>;
}

/**
 * Opens an exported file, whichever format it has.
 * @throws AuditFileError `not_an_export`; whatever the file system says
 */
async function readExport(path: string): Promise<ExportedLog> {
  const lines = readLines(path)[Symbol.asyncIterator]();
  const { value: first } = await lines.next();
  if (typeof first !== "string") throw auditFileError("not_an_export");
  const rest = { [Symbol.asyncIterator]: () => lines };
  const columns = columnsNamed(`${first.replace(/^\ufeff/, "").replace(/\r$/, "")}\r\n`);
  if (columns !== undefined) {
    return { header: null, entries: entriesOf(rest, (line) => readCsvLine(line, columns)) };
  }
  const header = readHeader(first);
  if (header === null) throw auditFileError("not_an_export");
  if (header !== "salvage") return { header, entries: entriesOf(rest, readEntry) };
  return { header: null, entries: entriesOf(rest, readSalvaged) };
}

/** No content has this hash, and it follows nothing: verification finds what stands here. */
const NO_RECORD: ChainedRecord = {
  seq: 0,
  prev_hash: "",
  hash: "",
  record: {
    kind: "checkpoint",
    timestamp: 0,
    purged_through_seq: 0,
    purged_through_hash: "",
    purged_count: 0,
  },
};

/** `gap`: the line stands for records that are not there, which their neighbours' numbers show. */
type ReadLine = (line: string) => ChainedRecord | "gap" | null;

const readSalvaged: ReadLine = (line) => (isGap(line) ? "gap" : readEntry(line));

async function* entriesOf(
  lines: AsyncIterable<string | null>,
  read: ReadLine,
): AsyncIterable<ChainedRecord> {
  for await (const line of lines) {
    const entry = line === null ? null : read(line);
    if (entry !== "gap") yield entry ?? NO_RECORD;
  }
}

/** Records verified between two turns of the event loop: a few milliseconds. */
const VERIFY_STEP = 500;

export interface VerifyReport {
  readonly verdict: ChainVerdict;
  /** Number of the oldest record; null in an empty log. */
  readonly firstSeq: number | null;
  /** The last record that fits; null when none does. */
  readonly head: ChainHead | null;
  /**
   * What vouches for everything before the first record: that there was nothing, a checkpoint of a
   * purge, or nothing in a file that is a piece of a log.
   */
  readonly beginning: "genesis" | "checkpoint" | "piece" | "none";
}

/** The end of a log without records. */
const NOTHING: ChainHead = { seq: 0, hash: GENESIS_HASH };

/** A purge takes one stretch off the beginning an hour. */
const TRIES = 3;

/**
 * Verifies the log of a database up to where it ends now, in constant memory. A purge that takes
 * away what is being read makes it begin again.
 * @param open opens the log; called more than once
 * @param anchor what is noted outside the data folder: a record that was once there, and rollbacks
 * @throws StoreError
 */
export async function verifyDatabase(
  open: () => LogSource,
  anchor: Anchor | null = null,
): Promise<VerifyReport> {
  for (let tries = 1; ; tries += 1) {
    const source = open();
    try {
      return await verifySource(source, anchor);
    } catch (error) {
      const wasPurged = storeError.is(error) && error.code === "store_refused";
      if (!wasPurged || tries === TRIES) throw error;
    } finally {
      source.close();
    }
  }
}

async function verifySource(source: LogSource, anchor: Anchor | null): Promise<VerifyReport> {
  const anchored = anchor?.head ?? null;
  let anchorHolds = anchored === null || anchored.seq === 0;
  const { remembered, extent } = source;
  const verifier = new ChainVerifier({ sha256: fastSha256, known: remembered?.head });
  for (let first = extent?.first ?? 1; extent !== null; ) {
    const entries = source.page({ first, last: extent.last }, VERIFY_STEP);
    const last = entries.at(-1);
    if (last === undefined || !entries.every((entry) => verifier.accept(entry))) break;
    anchorHolds ||= entries.some(
      ({ seq, hash }) => seq === anchored?.seq && hash === anchored.hash,
    );
    first = last.seq + 1;
    await new Promise((resolve) => setImmediate(resolve));
  }
  const verdict = verifier.finish(remembered?.exact === true ? remembered.head : undefined);
  if (!verdict.ok) return reportOf(verifier, verdict, false);
  const { verified, acknowledged = [] } = verdict;
  // What a purge took is vouched for by the chain that follows it.
  const isCut = anchored !== null && !anchorHolds && anchored.seq >= (extent?.first ?? 0);
  const cut = isCut ? [{ expected: anchored, found: verifier.last ?? NOTHING }] : [];
  const seq = firstLostOf([...cut, ...unacknowledged(anchor?.breaks ?? [], acknowledged)]);
  if (seq === null) return reportOf(verifier, verdict, false);
  return reportOf(verifier, { ok: false, verified, seq, fault: "rolled_back" }, false);
}

/**
 * Verifies an exported file by itself, in constant memory.
 * @throws AuditFileError `not_an_export`; whatever the file system says
 */
export async function verifyFile(path: string): Promise<VerifyReport> {
  const { header, entries } = await readExport(path);
  if (header === null) return verifyPiece(entries);
  const isPiece = !header.whole;
  const options = isPiece && header.after !== null ? { after: header.after } : {};
  const verifier = new ChainVerifier({ sha256: fastSha256, ...options });
  await acceptAll(verifier, entries);
  const verdict = verifier.finish(header.head ?? undefined);
  return reportOf(verifier, verdict, isPiece);
}

/** A file that does not say whether it begins where the log does: its first record tells. */
async function verifyPiece(entries: ExportedLog["entries"]): Promise<VerifyReport> {
  const verifier = new ChainVerifier({ sha256: fastSha256 });
  await acceptAll(verifier, entries);
  const verdict = verifier.finish();
  if (verdict.ok || verdict.fault !== "unanchored") return reportOf(verifier, verdict, false);
  return reportOf(verifier, { ok: true, verified: verifier.accepted }, true);
}

async function acceptAll(
  verifier: ChainVerifier,
  entries: AsyncIterable<ChainedRecord>,
): Promise<void> {
  for await (const entry of entries) if (!verifier.accept(entry)) return;
}

function reportOf(verifier: ChainVerifier, verdict: ChainVerdict, piece: boolean): VerifyReport {
  const { firstSeq, last } = verifier;
  return { verdict, firstSeq, head: last, beginning: beginningOf(verdict, firstSeq, piece) };
}

function beginningOf(
  verdict: ChainVerdict,
  firstSeq: number | null,
  piece: boolean,
): VerifyReport["beginning"] {
  if (firstSeq === 1) return "genesis";
  if (firstSeq === null) return "none";
  if (piece) return "piece";
  return verdict.ok ? "checkpoint" : "none";
}
