import { copyFileSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import Database from "better-sqlite3";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { NOW, ScratchLog } from "../../main/audit-log/testing/scratch-log.ts";
import { type SalvageReport, salvageLog } from "./salvage-log.ts";

const PAGE = 4096;
const DAY = 24 * 3_600_000;

const log = ScratchLog.forEachTest();

interface Line {
  readonly seq?: number;
  readonly hash?: string;
  readonly mismatch?: true;
  readonly gap?: { readonly first_seq: number; readonly last_seq: number };
}

async function salvaged(file: string) {
  const parts: Uint8Array[] = [];
  let report: SalvageReport | undefined;
  const chunks = salvageLog(file, NOW, (done) => {
    report = done;
  });
  for await (const chunk of chunks) parts.push(chunk);
  const [header = "", ...lines] = Buffer.concat(parts).toString("utf8").trimEnd().split("\n");
  expect(JSON.parse(header)).toMatchObject({ format: "consentry-audit-salvage", version: 1 });
  const entries: readonly Line[] = lines.map((line) => JSON.parse(line));
  return { entries, report };
}

const seqsOf = (entries: readonly Line[]) =>
  entries.flatMap(({ seq, mismatch }) => (seq === undefined || mismatch ? [] : [seq]));

/** The log's record numbers by page, according to SQLite. */
function recordsByPage(file: string): ReadonlyMap<number, readonly number[]> {
  const db = new Database(file, { readonly: true });
  const pages = db
    .prepare<[], { pageno: number; ncell: number }>(
      "SELECT pageno, ncell FROM dbstat WHERE name = 'audit_log' AND pagetype = 'leaf' ORDER BY path",
    )
    .all();
  const seqs = db.prepare<[], number>("SELECT seq FROM audit_log ORDER BY seq").pluck().all();
  db.close();
  let from = 0;
  return new Map(
    pages.map(({ pageno, ncell }) => {
      from += ncell;
      return [pageno, seqs.slice(from - ncell, from)];
    }),
  );
}

/** All but those through which SQLite finds the log's records: its inner pages and the list of tables. */
function pagesNotLeadingElsewhere(file: string): readonly number[] {
  const db = new Database(file, { readonly: true });
  const pages = db
    .prepare<[], number>(
      `SELECT pageno FROM dbstat WHERE name <> 'sqlite_schema' AND NOT (name = 'audit_log' AND pagetype = 'internal')`,
    )
    .pluck()
    .all();
  db.close();
  return pages;
}

const hashesOf = (file: string): ReadonlyMap<number, string> => {
  const db = new Database(file, { readonly: true });
  const rows = db
    .prepare<[], { seq: number; hash: string }>("SELECT seq, hash FROM audit_log")
    .all();
  db.close();
  return new Map(rows.map(({ seq, hash }) => [seq, hash]));
};

describe("a damaged database", () => {
  it("gives back everything outside damaged pages, and nothing that was never there", async () => {
    await log.write(600);
    const whole = readFileSync(log.file);
    const byPage = recordsByPage(log.file);
    const hashes = hashesOf(log.file);
    expect(byPage.size).toBeGreaterThan(40);
    const pages = fc.uniqueArray(fc.constantFrom(...pagesNotLeadingElsewhere(log.file)), {
      minLength: 1,
      maxLength: 12,
    });
    const noise = fc.constantFrom<(page: Uint8Array) => void>(
      (page) => page.fill(0),
      (page) => page.fill(0xff),
      (page) => page.fill(0x0d, 0, 40),
      (page) => page.set(page.slice(500, 900), 2_000),
      (page) => {
        for (let at = 3; at < PAGE; at += 97) page[at] = (page[at] ?? 0) ^ 0x55;
      },
    );
    await fc.assert(
      fc.asyncProperty(pages, noise, async (damaged, spoil) => {
        const bytes = Buffer.from(whole);
        for (const page of damaged) spoil(bytes.subarray((page - 1) * PAGE, page * PAGE));
        const file = log.path("damaged.db");
        writeFileSync(file, bytes);
        const { entries } = await salvaged(file);
        const found = seqsOf(entries);
        const lost = new Set(damaged.flatMap((page) => byPage.get(page) ?? []));
        const kept = [...hashes.keys()].filter((seq) => !lost.has(seq));
        expect(kept.filter((seq) => !found.includes(seq))).toEqual([]);
        for (const { seq, hash, mismatch } of entries) {
          if (seq !== undefined && mismatch === undefined) expect(hash).toBe(hashes.get(seq));
        }
        expect(found).toEqual(found.toSorted((one, other) => one - other));
      }),
      { numRuns: 25 },
    );
  }, 120_000);

  it("has a line for each gap, also at the end", async () => {
    await log.write(300);
    const byPage = recordsByPage(log.file);
    const pages = [...byPage.keys()];
    const gone = [pages[5] ?? 0, pages.at(-1) ?? 0];
    const bytes = readFileSync(log.file);
    for (const page of gone) bytes.fill(0, (page - 1) * PAGE, page * PAGE);
    writeFileSync(log.file, bytes);
    const { entries, report } = await salvaged(log.file);
    const gaps = entries.flatMap(({ gap }) => gap ?? []);
    expect(gaps).toEqual(
      gone.map((page) => ({
        first_seq: byPage.get(page)?.[0],
        last_seq: byPage.get(page)?.at(-1),
      })),
    );
    const missing = gone.flatMap((page) => byPage.get(page) ?? []).length;
    expect(report).toEqual({ recovered: 300 - missing, mismatched: 0, gaps: 2, missing });
  });

  it("marks a record whose content is not what was hashed", async () => {
    await log.write(20);
    const bytes = readFileSync(log.file);
    const at = bytes.indexOf("call-7agent-1");
    bytes.write("call-8", at);
    writeFileSync(log.file, bytes);
    const { entries, report } = await salvaged(log.file);
    expect(entries.find(({ seq }) => seq === 7)).toMatchObject({
      mismatch: true,
      record: { call_id: "call-8" },
    });
    expect(report).toEqual({ recovered: 19, mismatched: 1, gaps: 1, missing: 1 });
  });

  it("is refused when the list of its tables cannot be read", async () => {
    await log.write(20);
    const bytes = readFileSync(log.file);
    bytes.fill(0, 0, PAGE);
    writeFileSync(log.file, bytes);
    await expect(salvaged(log.file)).rejects.toMatchObject({ code: "store_corrupt" });
    expect(readFileSync(log.file)).toEqual(bytes);
  });

  it("says nothing of purged records where the first page of the log is damaged", async () => {
    await log.write(50);
    log.wall += 29 * DAY;
    await log.write(60);
    log.wall += 2 * DAY;
    log.store().close();
    const [[page, lost] = []] = recordsByPage(log.file);
    const bytes = readFileSync(log.file);
    bytes.fill(0, ((page ?? 0) - 1) * PAGE, (page ?? 0) * PAGE);
    writeFileSync(log.file, bytes);
    const { entries } = await salvaged(log.file);
    expect(entries[0]).toEqual({ gap: { first_seq: 51, last_seq: lost?.at(-1) } });
  });

  it("gives back what is only in the write-ahead log", async () => {
    const store = log.store();
    await log.append(store, 150);
    const copy = log.path("crashed.db");
    copyFileSync(log.file, copy);
    copyFileSync(`${log.file}-wal`, `${copy}-wal`);
    store.close();
    expect(existsSync(`${log.file}-wal`)).toBe(false);
    expect((await salvaged(copy)).report).toEqual({
      recovered: 150,
      mismatched: 0,
      gaps: 0,
      missing: 0,
    });
  });

  it("gives back a record that is longer than a page", async () => {
    await log.write(5, (at) => ({ call_id: at === 3 ? "x".repeat(10_000) : `call-${at}` }));
    expect((await salvaged(log.file)).report?.recovered).toBe(5);
  });

  it("gives back records with digests of what they are about beside them", async () => {
    const store = log.store();
    store.keepSubjects(new Uint8Array(32));
    await log.append(store, 5, () => ({}), { path: "/home/ada/notes.md" });
    store.close();
    expect((await salvaged(log.file)).report).toMatchObject({ recovered: 5, mismatched: 0 });
  });

  it("does not bring back what was purged", async () => {
    await log.write(50);
    log.wall += 31 * DAY;
    await log.write(3);
    const { entries, report } = await salvaged(log.file);
    expect(seqsOf(entries)).toEqual([51, 52, 53, 54]);
    expect(report?.gaps).toBe(0);
  });

  it("is refused when it holds no page at all", async () => {
    const file = log.path("empty.db");
    writeFileSync(file, "");
    await expect(salvaged(file)).rejects.toMatchObject({ code: "store_corrupt" });
  });
});
