import type { ActivityRow } from "../../app/bridge/views.ts";

const isSameLine = (one: ActivityRow, other: ActivityRow): boolean => one.line_id === other.line_id;

/** Inserts `row` into rows sorted newest first; a finished call replaces its own line. */
export function withRow(rows: readonly ActivityRow[], row: ActivityRow): readonly ActivityRow[] {
  const known = rows.find((each) => isSameLine(each, row));
  if (known !== undefined && known.seq > row.seq) return rows;
  const others = rows.filter((each) => each !== known);
  const at = others.findIndex((each) => each.seq < row.seq);
  return at === -1 ? [...others, row] : [...others.slice(0, at), row, ...others.slice(at)];
}
