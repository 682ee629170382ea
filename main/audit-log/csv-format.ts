import type { ChainedRecord } from "../../app/audit/audit-record.ts";
import {
  AUDIT_COLUMNS,
  type AuditRow,
  chainedRecordOf,
  FIRST_AUDIT_COLUMNS,
} from "../storage/index.ts";
import { escapeUnseen, readEscapes } from "./jsonl-format.ts";

const NUMBERS: ReadonlySet<string> = new Set<keyof AuditRow>([
  "seq",
  "duration_ms",
  "purged_through_seq",
  "purged_count",
  "noticed_at",
  "expected_seq",
  "found_seq",
  "decided_seq",
  "given_at",
]);
const MAY_BE_NULL: ReadonlySet<string> = new Set<keyof AuditRow>([
  "reason",
  "error_code",
  "rule_id",
  "given_on",
]);

type Columns = readonly (keyof AuditRow)[];

const headerOf = (columns: Columns): string => `${columns.join(",")}\r\n`;
export const CSV_HEADER = headerOf(AUDIT_COLUMNS);
/** The columns that a file's first line names; undefined: it is no file of ours. */
export const columnsNamed = (header: string): Columns | undefined =>
  [AUDIT_COLUMNS, FIRST_AUDIT_COLUMNS].find((columns) => headerOf(columns) === header);

/** One record as one line (RFC 4180): a line break within a text is escaped. */
export function csvLine(
  { record, ...place }: ChainedRecord,
  columns: Columns = AUDIT_COLUMNS,
): string {
  const values: Readonly<Record<string, unknown>> = { ...record, ...place };
  return `${columns.map((column) => cellOf(column, values[column])).join(",")}\r\n`;
}

function cellOf(column: string, value: unknown): string {
  if (value === null || value === undefined) return "";
  if (column === "timestamp") return timeCell(value);
  return typeof value === "number" ? String(value) : textCell(String(value));
}

/** For people, and exact to the millisecond; a number that is no time stays a number. */
const timeCell = (value: unknown): string =>
  isTime(value) ? new Date(value).toISOString() : String(value);
const isTime = (value: unknown): value is number =>
  typeof value === "number" && !Number.isNaN(new Date(value).getTime());

/** What a spreadsheet takes for the beginning of a formula, full-width forms included. */
const FORMULA = /^['=+\-@\uff1d\uff0b\uff0d\uff20]/;

/**
 * Text that no spreadsheet executes and that can be turned back exactly: unseen characters (tab and
 * line breaks among them) and the semicolon, which separates cells in some countries, are escaped;
 * an apostrophe goes before what would begin a formula.
 */
function textCell(text: string): string {
  const shown = escapeUnseen(text.replaceAll("\\", "\\\\")).replaceAll(";", "\\u003b");
  const inert = FORMULA.test(shown) ? `'${shown}` : shown;
  return /[",]/.test(inert) || inert !== text ? `"${inert.replaceAll('"', '""')}"` : inert;
}

/** The record of a line, unjudged; null when the line is not one. */
export function readCsvLine(line: string, columns: Columns): ChainedRecord | null {
  const cells = splitCells(line.endsWith("\r") ? line.slice(0, -1) : line);
  if (cells?.length !== columns.length) return null;
  const row: Record<string, unknown> = {};
  for (const [at, column] of columns.entries()) {
    const value = readCell(column, cells[at] ?? "");
    if (value === undefined) return null;
    row[column] = value;
  }
  const { seq, timestamp } = row;
  if (typeof seq !== "number" || typeof timestamp !== "number") return null;
  // Every column its file has is there; the kind decides which of them are members.
  const entry = chainedRecordOf(row as unknown as AuditRow);
  // A cell that is not part of this kind of record is covered by no hash.
  return csvLine(entry, columns) === `${line.replace(/\r$/, "")}\r\n` ? entry : null;
}

function readCell(column: string, cell: string): string | number | null | undefined {
  if (column === "timestamp") return readTime(cell);
  if (NUMBERS.has(column)) return cell === "" ? null : readNumber(cell);
  if (cell === "" && MAY_BE_NULL.has(column)) return null;
  const text = readEscapes(cell.startsWith("'") ? cell.slice(1) : cell);
  return text ?? undefined;
}

const readTime = (cell: string): number | undefined =>
  /^-?\d+$/.test(cell) ? readNumber(cell) : readNumber(String(Date.parse(cell)));

function readNumber(cell: string): number | undefined {
  const value = Number(cell);
  return Number.isSafeInteger(value) ? value : undefined;
}

const CELL = /(?:"((?:[^"]|"")*)"|([^",]*))(,|$)/y;

/** Null when quotes stand where RFC 4180 allows none. */
function splitCells(line: string): readonly string[] | null {
  const cells: string[] = [];
  for (CELL.lastIndex = 0; ; ) {
    const match = CELL.exec(line);
    if (match === null) return null;
    cells.push(match[1]?.replaceAll('""', '"') ?? match[2] ?? "");
    if (match[3] === "") return cells;
  }
}
