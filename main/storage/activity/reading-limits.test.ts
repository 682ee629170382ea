import type { Database } from "better-sqlite3";
import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { countAll } from "../../../app/bridge/count-all.ts";
import { openToRead } from "../../../runtime/sqlite/open-database.ts";
import { SEED_KEY, seedLog } from "../../../tests/seeding/seed-log.ts";
import { SubjectDigests } from "../subjects/subject-digests.ts";
import { subjectsIn } from "../subjects/subject-table.ts";
import { NOW, ScratchStore } from "../testing/scratch-store.ts";
import type { LineFilter } from "./activity-filter.ts";
import { READING_LIMITS } from "./call-query.ts";
import { PageReader, SummaryReader } from "./log-reader.ts";

const scratch = new ScratchStore();
let db: Database;
beforeAll(() => {
  seedLog({ dataDir: scratch.dataDir, count: 600, now: NOW, seed: 5 });
  db = openToRead(scratch.file);
});
afterAll(() => {
  db.close();
  scratch.remove();
});

function allLines(reader: PageReader, filter: LineFilter): readonly number[] {
  const seqs: number[] = [];
  let before_seq: number | null = null;
  do {
    const page = reader.page({ ...filter, limit: 7, before_seq });
    seqs.push(...page.rows.map(({ seq }) => seq));
    before_seq = page.next_before_seq;
  } while (before_seq !== null);
  return seqs;
}

const DAY = 24 * 3_600_000;
const optional = <T>(...values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 3 });

const digests = new SubjectDigests(SEED_KEY);
/** A folder above most calls, one of a project, a program, and something that no call is about. */
const SUBJECTS = ["/home/ada", "/home/ada/project-3", "git", "never.md"].map(
  (typed) => digests.ofTyped(typed) ?? "",
);
const few = fc.record({
  lookedUp: fc.constantFrom(0, 3, 50),
  scanned: fc.constantFrom(1, 40, 1_000),
  counted: fc.constantFrom(1, 40, 1_000),
});

it("finds the same lines, however little may be read for a page", () => {
  const usual = new PageReader(db, READING_LIMITS);
  const [sample] = usual.page({ limit: 1 }).rows;
  if (sample === undefined) throw new Error("nothing was seeded");
  const filters = fc.record({
    call_id: fc.constantFrom("0", "a", "f", "0a", sample.call_id),
    agent_id: optional("agt_seed00", "agt_seed03"),
    status: optional("ok" as const, "denied" as const, "interrupted" as const),
    tool_name: optional("read_file", "made_up_7"),
    arguments_digest: optional(sample.arguments_digest),
    from: optional(NOW - 20 * DAY, NOW - 3 * DAY),
    to: optional(NOW - 10 * DAY, NOW - DAY),
  });
  fc.assert(
    fc.property(filters, few, (filter, limits) => {
      expect(allLines(new PageReader(db, limits), filter)).toEqual(allLines(usual, filter));
    }),
    { numRuns: 60 },
  );
});

it("finds the lines that match and are about a subject, however little may be read", () => {
  const usual = new PageReader(db, READING_LIMITS);
  const subjects = subjectsIn(db, 0, Number.MAX_SAFE_INTEGER);
  const filters = fc.record({
    agent_id: optional("agt_seed00", "agt_seed03"),
    status: optional("ok" as const, "denied" as const, "interrupted" as const),
    tool_name: optional("read_file", "run_command", "made_up_7"),
    from: optional(NOW - 20 * DAY, NOW - 3 * DAY),
    to: optional(NOW - 10 * DAY, NOW - DAY),
  });
  fc.assert(
    fc.property(filters, few, fc.constantFrom(...SUBJECTS), (filter, limits, subject) => {
      const matching = allLines(usual, filter);
      const about = matching.filter((seq) => subjects.get(seq)?.includes(subject));
      expect(allLines(new PageReader(db, limits), { ...filter, subject })).toEqual(about);
    }),
    { numRuns: 100 },
  );
});

it("counts as many as there are, however little is counted in a step", async () => {
  const usual = new PageReader(db, READING_LIMITS);
  const filters = fc.record({
    call_id: optional("0", "a", "f"),
    subject: optional(...SUBJECTS),
    arguments_digest: optional(usual.page({ limit: 1 }).rows[0]?.arguments_digest ?? ""),
    agent_id: optional("agt_seed00", "agt_seed03"),
    status: optional("ok" as const, "denied" as const, "interrupted" as const),
    to: optional(NOW - 10 * DAY, NOW - DAY),
  });
  await fc.assert(
    fc.asyncProperty(filters, few, async (filter, limits) => {
      const reader = new SummaryReader(db, limits);
      const step = async (before_seq: number | null) => reader.step({ ...filter, before_seq });
      expect((await countAll({ step })).total).toBe(allLines(usual, filter).length);
    }),
    { numRuns: 60 },
  );
});

it("a page that would read too many rows is short, and its cursor continues from there", () => {
  const limits = { lookedUp: 5, scanned: 40, counted: 40 };
  const reader = new PageReader(db, limits);
  const filter = { agent_id: "agt_seed00", status: "denied" as const, limit: 200 };
  const first = reader.page(filter);
  expect(first.next_before_seq).not.toBeNull();
  const whole = new PageReader(db).page(filter);
  expect(whole.next_before_seq).toBeNull();
  expect(first.rows).toEqual(whole.rows.slice(0, first.rows.length));
  expect(first.rows.length).toBeLessThan(whole.rows.length);
});
