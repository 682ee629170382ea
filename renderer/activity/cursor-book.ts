import type { ActivityPage, ActivityRow } from "../../app/bridge/views.ts";

/**
 * One page of the log, newest first: all matching lines from where the previous page ended down to
 * `end`. Its lines may be dropped; its position and cursor stay.
 */
export interface BookPage {
  /** The `next_before_seq` with which the next page is requested; null: the log ends here. */
  readonly end: number | null;
  readonly count: number;
  readonly rows: readonly ActivityRow[] | null;
}

/** The pages read so far, without gaps. The first begins at the newest line. */
export type CursorBook = readonly BookPage[];

/** Lines requested at once, */
export const PAGE_ROWS = 200;
/** and at first: more than a window shows, and soon there, also from the disk. */
export const FIRST_ROWS = 50;

export const isWhole = (book: CursorBook): boolean => book.at(-1)?.end === null;

export const rowCount = (book: CursorBook): number =>
  book.reduce((sum, { count }) => sum + count, 0);

/** A line that is there now. */
export const rowOf = (book: CursorBook, lineId: number): ActivityRow | undefined =>
  book.flatMap(({ rows }) => rows ?? []).find(({ line_id }) => line_id === lineId);

/** The cursor with which page `index` is requested; null: from the newest line on. */
export const cursorOf = (book: CursorBook, index: number): number | null =>
  book[index - 1]?.end ?? null;

/** The pages that contain the lines `first` to `last` (both counted from the newest, from 0). */
export function pagesAt(book: CursorBook, first: number, last: number): [number, number] {
  let start = 0;
  let from = -1;
  let to = -1;
  for (const [index, { count }] of book.entries()) {
    if (start > last) break;
    if (start + count > first) {
      if (from === -1) from = index;
      to = index;
    }
    start += count;
  }
  return [from, to];
}

/** Adds the page after the last one. An answer to an outdated request changes nothing. */
export function withNext(
  book: CursorBook,
  asked: number | null,
  { rows, next_before_seq: end }: ActivityPage,
): CursorBook {
  if (asked !== cursorOf(book, book.length) || isWhole(book)) return book;
  const fresh = withoutKnown(book, rows);
  const last = book.at(-1);
  // A bounded search returns pages of few lines. They are combined, or the book would consist of
  // almost empty pages.
  if (last?.rows != null && last.count + fresh.length <= PAGE_ROWS) {
    return [...book.slice(0, -1), pageOf([...last.rows, ...fresh], end)];
  }
  return [...book, pageOf(fresh, end)];
}

/** A dropped page that was read again. */
export const withRead = (
  book: CursorBook,
  asked: number | null,
  rows: readonly ActivityRow[],
): CursorBook =>
  book.map((page, index) =>
    page.rows === null && cursorOf(book, index) === asked
      ? pageOf(withoutKnown(book, rows), page.end)
      : page,
  );

/**
 * Drops the lines outside the pages `from` to `to` and `kept`, but never those of the first page,
 * which are needed to tell new lines from old ones.
 */
export function withLetGo(
  book: CursorBook,
  from: number,
  to: number,
  kept: ReadonlySet<number>,
): CursorBook {
  const stays = (index: number) => index === 0 || (index >= from && index <= to) || kept.has(index);
  if (book.every(({ rows }, index) => rows === null || stays(index))) return book;
  return book.map((page, index) => (stays(index) ? page : { ...page, rows: null }));
}

/**
 * Updates a known line in place, so that nothing moves while the person reads. It keeps its old
 * number until its page is read again, because the first number shows how far the book reaches.
 */
export function withUpdated(book: CursorBook, row: ActivityRow): CursorBook {
  const at = book.findIndex((page) => page.rows?.some(isOlderCopyOf(row)));
  return book.map((page, index) =>
    index === at && page.rows !== null
      ? {
          ...page,
          rows: page.rows.map((each) =>
            isOlderCopyOf(row)(each) ? { ...row, seq: each.seq } : each,
          ),
        }
      : page,
  );
}

const isOlderCopyOf = (row: ActivityRow) => (each: ActivityRow) =>
  each.line_id === row.line_id && each.seq <= row.seq;

/**
 * Joins the newest page, read again, with the known lines. If lines in between are missing, the
 * book starts over with it.
 */
export function withHead(book: CursorBook, page: ActivityPage): CursorBook {
  const [head, ...others] = book;
  const { rows, next_before_seq: end } = page;
  const newest = head?.rows?.[0];
  if (end === null || head?.rows == null || newest === undefined || end > newest.seq + 1) {
    return [pageOf(rows, end)];
  }
  const joined = joinHead(head.rows, head.end, rows, end);
  if (sameLines(joined, head.rows)) return book;
  const moved = new Set(rows.map(({ line_id }) => line_id));
  return [...split(joined, head.end), ...others.map((each) => withoutLines(each, moved))];
}

function joinHead(
  known: readonly ActivityRow[],
  knownEnd: number | null,
  rows: readonly ActivityRow[],
  end: number,
): readonly ActivityRow[] {
  const fresh = rows.filter(({ seq }) => knownEnd === null || seq >= knownEnd);
  const lines = new Set(fresh.map(({ line_id }) => line_id));
  return [...fresh, ...known.filter((row) => row.seq < end && !lines.has(row.line_id))];
}

/** Keeps the first page small, however many lines arrive. Any line's number is a valid cursor. */
function split(rows: readonly ActivityRow[], end: number | null): readonly BookPage[] {
  const last = rows[PAGE_ROWS - 1];
  if (rows.length <= 2 * PAGE_ROWS || last === undefined) return [pageOf(rows, end)];
  return [pageOf(rows.slice(0, PAGE_ROWS), last.seq), pageOf(rows.slice(PAGE_ROWS), end)];
}

function withoutLines(page: BookPage, lines: ReadonlySet<number>): BookPage {
  const rows = page.rows?.filter(({ line_id }) => !lines.has(line_id));
  return rows === undefined || rows.length === page.count ? page : pageOf(rows, page.end);
}

function withoutKnown(book: CursorBook, rows: readonly ActivityRow[]): readonly ActivityRow[] {
  const known = new Set(book.flatMap((page) => page.rows?.map(({ line_id }) => line_id) ?? []));
  return rows.filter(({ line_id }) => !known.has(line_id));
}

const pageOf = (rows: readonly ActivityRow[], end: number | null): BookPage => ({
  end,
  count: rows.length,
  rows,
});

const sameLines = (one: readonly ActivityRow[], other: readonly ActivityRow[]): boolean =>
  one.length === other.length &&
  one.every(({ line_id, seq }, at) => other[at]?.line_id === line_id && other[at]?.seq === seq);
