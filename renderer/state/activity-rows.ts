import type { ActivityRow } from "../../app/bridge/views.ts";

export interface ActivityFilter {
  readonly agent_id: string | null;
  readonly status: ActivityRow["status"] | null;
  /** The beginning of a call id; empty: all. */
  readonly call_id: string;
}

export const NO_FILTER: ActivityFilter = { agent_id: null, status: null, call_id: "" };

const isSameLine = (one: ActivityRow, other: ActivityRow): boolean => one.line_id === other.line_id;

/** Rows, newest first, with `row` in its place; a call completed since replaces its own line. */
export function withRow(rows: readonly ActivityRow[], row: ActivityRow): readonly ActivityRow[] {
  const known = rows.find((each) => isSameLine(each, row));
  if (known !== undefined && known.seq > row.seq) return rows;
  const others = rows.filter((each) => each !== known);
  const at = others.findIndex((each) => each.seq < row.seq);
  return at === -1 ? [...others, row] : [...others.slice(0, at), row, ...others.slice(at)];
}

export const matches = (row: ActivityRow, filter: ActivityFilter): boolean =>
  (filter.agent_id === null || row.agent_id === filter.agent_id) &&
  (filter.status === null || row.status === filter.status) &&
  row.call_id.startsWith(filter.call_id);

/** The same for a filtered list: a call that stopped matching leaves it. */
export const withMatchingRow = (
  rows: readonly ActivityRow[],
  row: ActivityRow,
  filter: ActivityFilter,
): readonly ActivityRow[] =>
  matches(row, filter) ? withRow(rows, row) : rows.filter((each) => !isSameLine(each, row));

/** A further page at the end; lines that came live in the meantime are not repeated. */
export const withPage = (
  rows: readonly ActivityRow[],
  page: readonly ActivityRow[],
): readonly ActivityRow[] => [
  ...rows,
  ...page.filter((row) => !rows.some((each) => isSameLine(each, row))),
];
