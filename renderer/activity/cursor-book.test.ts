import { expect, test } from "vitest";
import {
  type CursorBook,
  cursorOf,
  isWhole,
  PAGE_ROWS,
  pagesAt,
  rowCount,
  rowOf,
  withHead,
  withLetGo,
  withNext,
  withRead,
  withUpdated,
} from "./cursor-book.ts";
import { sampleRow } from "./testing/sample-log.ts";

const rows = (from: number, to: number) =>
  Array.from({ length: from - to + 1 }, (_, at) => sampleRow(from - at));
const page = (from: number, to: number, end: number | null = to) => ({
  rows: rows(from, to),
  next_before_seq: end,
});
const three = [page(600, 401), page(400, 201), page(200, 1, null)].reduce<CursorBook>(
  (book, each) => withNext(book, cursorOf(book, book.length), each),
  [],
);
const seqs = (book: CursorBook) => book.flatMap((each) => each.rows?.map(({ seq }) => seq) ?? []);
const none = new Set<number>();

test("pages follow each other by their cursors, to the end of the log", () => {
  expect(three.map(({ end }) => end)).toEqual([401, 201, null]);
  expect(isWhole(three)).toBe(true);
  expect(seqs(three)).toEqual(rows(600, 1).map(({ seq }) => seq));
});

test("a line is found as it is now, and not where it has been dropped", () => {
  const [, , last] = three;
  const row = last?.rows?.[0];
  if (row === undefined || row === null) throw new Error("the last page has lines");
  const ended = { ...row, duration_ms: 12 };
  expect(rowOf(withUpdated(three, ended), row.line_id)).toEqual(ended);
  expect(rowOf(withLetGo(three, 0, 0, none), row.line_id)).toBeUndefined();
});

test("an answer to an older question changes nothing", () => {
  expect(withNext(three, 401, page(400, 201))).toBe(three);
  expect(withNext(three.slice(0, 2), 401, page(400, 201))).toHaveLength(2);
});

test("pages of a bounded search that hold few lines become one", () => {
  let book = withNext([], null, page(1000, 1000, 900));
  book = withNext(book, 900, { rows: [], next_before_seq: 800 });
  book = withNext(book, 800, page(750, 749, 700));
  expect(book).toMatchObject([{ end: 700, count: 3 }]);
});

test("a page let go keeps its place and its cursor, and is read again into it", () => {
  const far = withLetGo(three, 2, 2, none);
  expect(far.map(({ rows }) => rows === null)).toEqual([false, true, false]);
  expect(rowCount(far)).toBe(600);
  expect(pagesAt(far, 150, 250)).toEqual([0, 1]);
  expect(seqs(withRead(far, cursorOf(far, 1), rows(400, 201)))).toEqual(seqs(three));
  expect(withLetGo(three, 2, 2, new Set([1]))).toBe(three);
});

test("a line that completes is shown where it stood", () => {
  const done = sampleRow(700, { line_id: 300, duration_ms: 99 });
  const after = withUpdated(three, done);
  expect(seqs(after)).toEqual(seqs(three));
  expect(after[1]?.rows?.find(({ line_id }) => line_id === 300)?.duration_ms).toBe(99);
});

test("at the top, new lines come first and a line that completed leaves its old place", () => {
  const after = withHead(three, {
    rows: [sampleRow(602, { line_id: 300 }), sampleRow(601), ...rows(600, 403)],
    next_before_seq: 403,
  });
  expect(after.flatMap(({ rows }) => rows ?? []).map(({ line_id }) => line_id)).toEqual([
    300,
    ...rows(601, 301).map(({ line_id }) => line_id),
    ...rows(299, 1).map(({ line_id }) => line_id),
  ]);
});

test("more new lines than fit one page start the book over, without a gap", () => {
  expect(withHead(three, page(900, 701))).toMatchObject([{ end: 701, count: 200 }]);
  expect(seqs(withHead(three, page(800, 601)))).toHaveLength(800);
});

test("the first page stays small however long lines come in", () => {
  let book: CursorBook = three;
  for (let newest = 650; newest <= 3_000; newest += 50) {
    book = withHead(book, page(newest, newest - 199));
  }
  expect(book[0]?.count).toBeLessThanOrEqual(2 * PAGE_ROWS);
  expect(seqs(book)).toEqual(rows(3_000, 1).map(({ seq }) => seq));
});
