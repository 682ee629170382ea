import Database from "better-sqlite3";
import fc from "fast-check";
import { Type } from "typebox";
import { beforeEach, expect, it } from "vitest";
import { Moment, orNull, Table, Text } from "./table.ts";

let db: Database.Database;

const COLUMNS = Type.Object({
  owner: Text,
  subject: Type.Union([
    Type.Object({ kind: Type.Literal("all") }),
    Type.Object({ path: Type.String(), tags: Type.Optional(Type.Array(Type.String())) }),
  ]),
  extra: orNull(Type.Object({ note: Type.String() })),
  is_on: Type.Boolean(),
  for_once: Type.Optional(Type.Literal(true)),
  ends_at: Type.Optional(Moment),
  made_on: orNull(Type.String()),
});
type Value = Type.Static<typeof COLUMNS>;

let table: Table<typeof COLUMNS>;
const raw = () => db.prepare<[], Record<string, unknown>>("SELECT * FROM grants").all();

beforeEach(() => {
  db = new Database(":memory:");
  db.exec(`CREATE TABLE grants (owner TEXT, subject TEXT, extra TEXT, is_on INTEGER NOT NULL,
    for_once INTEGER NOT NULL, ends_at INTEGER, made_on TEXT, PRIMARY KEY (owner, subject)) STRICT`);
  table = new Table(db, { name: "grants", columns: COLUMNS, key: ["owner", "subject"] });
});

const A: Value = { owner: "a", subject: { kind: "all" }, extra: null, is_on: true, made_on: null };

it("reads back what it stored, whatever values the schema allows", () => {
  const text = fc.string({ unit: "binary", minLength: 1 });
  const subject = fc.oneof(
    fc.constant({ kind: "all" } as const),
    fc.record({ path: text, tags: fc.array(text) }, { requiredKeys: ["path"] }),
  );
  const values = fc.record(
    {
      owner: text,
      subject,
      extra: fc.option(fc.record({ note: text })),
      is_on: fc.boolean(),
      for_once: fc.constant(true as const),
      ends_at: fc.nat(),
      made_on: fc.option(text),
    },
    { requiredKeys: ["owner", "subject", "extra", "is_on", "made_on"] },
  );
  fc.assert(
    fc.property(values, (value) => {
      db.exec("DELETE FROM grants");
      table.put(value);
      expect(table.all()).toEqual([value]);
    }),
  );
});

it("stores flags as 0 and 1, absent values as NULL and objects as canonical text", () => {
  table.put({ ...A, subject: { tags: [], path: "/é" }, is_on: false });
  expect(raw()).toEqual([
    {
      owner: "a",
      subject: '{"path":"/é","tags":[]}',
      extra: null,
      is_on: 0,
      for_once: 0,
      ends_at: null,
      made_on: null,
    },
  ]);
});

it("replaces the row with the same key, however its object was written down", () => {
  table.put({ ...A, subject: { path: "/a", tags: ["x"] }, ends_at: 3 });
  table.put({ ...A, subject: { tags: ["x"], path: "/a" } });
  expect(table.all()).toEqual([{ ...A, subject: { path: "/a", tags: ["x"] } }]);
});

it("changes and deletes by values, and says whether there was such a row", () => {
  const { owner, subject } = A;
  expect(table.change({ owner, subject }, { ends_at: 7 })).toBe(false);
  table.put(A);
  table.put({ ...A, owner: "b" });
  expect(table.change({ owner, subject }, { ends_at: 7, is_on: false })).toBe(true);
  expect(table.all("WHERE ends_at = ?", 7)).toEqual([{ ...A, ends_at: 7, is_on: false }]);
  table.delete({ is_on: false });
  expect(table.all()).toEqual([{ ...A, owner: "b" }]);
});

it("refuses to store what it could not read back", () => {
  const wrong = { ...A, ends_at: -1 };
  expect(() => table.put(wrong)).toThrow(expect.objectContaining({ code: "store_refused" }));
  expect(raw()).toEqual([]);
});

it.each([
  "subject = '{'",
  "subject = 'null'",
  `subject = '{"kind":"other"}'`,
  "is_on = 2",
  "owner = ''",
  "ends_at = -1",
  "extra = '7'",
])("calls the table corrupt where %s, instead of leaving a row out", (change) => {
  table.put(A);
  db.exec(`UPDATE grants SET ${change}`);
  const corrupt = { code: "store_corrupt", details: "grants" };
  expect(() => table.all()).toThrow(expect.objectContaining(corrupt));
});
