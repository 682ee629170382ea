import type { AuditRecord, ChainedRecord } from "../../app/audit/audit-record.ts";
import type { ChainHead } from "../../app/audit/verify-chain.ts";
import { isJsonObject, type JsonObject, type JsonValue } from "../../app/contract/json.ts";
import { parseStrictJson } from "../../app/contract/strict-json.ts";
import { SUBJECT_BYTES } from "../storage/index.ts";

const LOG_FORMAT = "consentry-audit-log";
export const SALVAGE_FORMAT = "consentry-audit-salvage";
export const FORMAT_VERSION = 1;
/** Bytes of one line; a record has about 700. */
export const LINE_BYTES = 1_048_576;

/** The first line of an exported log. */
export interface LogHeader {
  /** Milliseconds since the epoch. */
  readonly exportedAt: number;
  /** False for a piece: then nothing in the file tells whether the log has a sound beginning. */
  readonly whole: boolean;
  /** The record before the first; null in an empty file. */
  readonly after: ChainHead | null;
  /** The last record of the file; null in an empty file. */
  readonly head: ChainHead | null;
}

export const jsonLine = (value: unknown): string => `${escapeUnseen(JSON.stringify(value))}\n`;

export const headerLine = ({ exportedAt, whole, after, head }: LogHeader): string =>
  jsonLine({
    format: LOG_FORMAT,
    version: FORMAT_VERSION,
    exported_at: new Date(exportedAt).toISOString(),
    whole,
    first_seq: after === null ? null : after.seq + 1,
    first_prev_hash: after?.hash ?? null,
    head_seq: head?.seq ?? null,
    head_hash: head?.hash ?? null,
  });

/** What no hash covers; absent: it was not asked for, or there is none. */
export interface Beside {
  readonly subjects?: readonly string[] | undefined;
  readonly target?: JsonObject | undefined;
}

export const entryLine = (
  { seq, prev_hash, hash, record }: ChainedRecord,
  beside: Beside = {},
): string => jsonLine({ seq, prev_hash, hash, record, ...beside });

/** Null when the line is no header of ours. */
export function readHeader(line: string): LogHeader | "salvage" | null {
  const value = readObject(line);
  if (value?.version !== FORMAT_VERSION) return null;
  if (value.format === SALVAGE_FORMAT) return "salvage";
  if (value.format !== LOG_FORMAT || typeof value.whole !== "boolean") return null;
  const after = headOf(value.first_seq, value.first_prev_hash);
  const head = headOf(value.head_seq, value.head_hash);
  const exportedAt = Date.parse(String(value.exported_at));
  if (after === undefined || head === undefined || Number.isNaN(exportedAt)) return null;
  return {
    exportedAt,
    whole: value.whole,
    after: after === null ? null : { seq: after.seq - 1, hash: after.hash },
    head,
  };
}

function headOf(
  seq: JsonValue | undefined,
  hash: JsonValue | undefined,
): ChainHead | null | undefined {
  if (seq === null && hash === null) return null;
  return typeof seq === "number" && typeof hash === "string" ? { seq, hash } : undefined;
}

/**
 * The record of a line, unjudged: whatever it says is what gets verified. Null when the line is no
 * record at all; a member that no hash covers makes it none, except what may stand beside it.
 */
export function readEntry(line: string): ChainedRecord | null {
  const value = readObject(line);
  if (value === null) return null;
  const { seq, prev_hash, hash, record, mismatch, subjects = [], target = {}, ...others } = value;
  if (typeof seq !== "number" || typeof prev_hash !== "string" || typeof hash !== "string") {
    return null;
  }
  if (!isJsonObject(record) || Object.keys(others).length > 0) return null;
  if (mismatch !== undefined && mismatch !== true) return null;
  if (!Array.isArray(subjects) || !subjects.every(isSubject)) return null;
  if (!isJsonObject(target)) return null;
  // Not looked into: a record of another shape has another hash.
  return { seq, prev_hash, hash, record: record as unknown as AuditRecord };
}

const SUBJECT = new RegExp(`^[0-9a-f]{${2 * SUBJECT_BYTES}}$`, "u");
const isSubject = (value: JsonValue): boolean => typeof value === "string" && SUBJECT.test(value);

export const isGap = (line: string): boolean => readObject(line)?.gap !== undefined;

function readObject(line: string): JsonObject | null {
  try {
    const value = parseStrictJson(line, LINE_BYTES);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/**
 * Controls, formats (bidirectional ones among them), separators, surrogates, and what fonts are
 * told to ignore: characters that act on whoever looks at the text, or that nobody sees.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/gu;

/** Each UTF-16 unit as `\uXXXX`, which both JSON and `readEscapes` turn back. */
const escapeOf = (character: string): string =>
  Array.from({ length: character.length }, (_, at) => character.charCodeAt(at))
    .map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`)
    .join("");

export const escapeUnseen = (text: string): string => text.replace(UNSEEN, escapeOf);

/** Undoes `\uXXXX` and `\\`; null when a backslash stands for anything else. */
export function readEscapes(text: string): string | null {
  if (!text.includes("\\")) return text;
  if (/\\(?!\\|u[0-9a-f]{4})/.test(text.replaceAll("\\\\", ""))) return null;
  return text.replace(/\\(?:\\|u([0-9a-f]{4}))/g, (_, unit: string | undefined) =>
    unit === undefined ? "\\" : String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
