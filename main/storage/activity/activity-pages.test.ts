import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutcomeRecord } from "../../../app/audit/audit-record.ts";
import { NO_CALLS } from "../../../app/bridge/count-all.ts";
import { ACTIVITY_STATUSES, type ActivityRow } from "../../../app/bridge/views.ts";
import { CARRIED_OUT, DECIDED_BY } from "../../../app/contract/tool-call.ts";
import type { Store } from "../index.ts";
import { countLog } from "../testing/count-log.ts";
import { call, intent, NOW, outcome, ScratchStore } from "../testing/scratch-store.ts";
import { DAY_MS } from "./calls-table.ts";

const scratch = ScratchStore.forEachTest();

const AGENTS = ["agent-1", "agent-2"];
// Names from the catalogue, one that is only an alias, and some that a hostile agent may send.
const TOOLS = ["read_file", "fetch_web_page", "run_command", "made_up", "", "read_file "];
const SCOPES = ["filesystem:read", "network:http", "shell:exec", "made:up", ""];
const ENDS = [
  { status: "ok", reason: null, error_code: null },
  { status: "denied", reason: "user_refused", error_code: null },
  { status: "error", reason: "not_found", error_code: "TOOL_PLATFORM_ERROR" },
  { status: "error", reason: "cancelled", error_code: "TOOL_PLATFORM_ERROR" },
  { status: "error", reason: "interrupted", error_code: "TOOL_PLATFORM_ERROR" },
] as const;
const IDS = ["a", "ab", "abc", "b%", "b_", "é", "日本"];
/** What a call may name, and all that it is then found by. The call's ID ends with its number. */
const NAMED = [
  { path: "/a/x.md", about: ["/a/x.md", "x.md", "/a"] },
  { path: "/a/b/x.md", about: ["/a/b/x.md", "x.md", "/a/b", "/a"] },
  { path: "/c/a", about: ["/c/a", "a", "/c"] },
] as const;

const made = fc.record({
  id: fc.constantFrom(...IDS),
  agent_id: fc.constantFrom(...AGENTS),
  tool_name: fc.constantFrom(...TOOLS),
  scope: fc.constantFrom(...SCOPES),
  decided_by: fc.constantFrom(...DECIDED_BY),
  path: fc.nat(NAMED.length - 1),
  args: fc.nat(3),
  end: fc.option(fc.constantFrom(...ENDS)),
  ran: fc.boolean(),
  report: fc.option(fc.constantFrom(...CARRIED_OUT)),
  indexed: fc.boolean(),
  later: fc.constantFrom(0, 1, 3_600_000, DAY_MS),
});
type Filter = Parameters<typeof countLog>[1];
type Made = typeof made extends fc.Arbitrary<infer T> ? T : never;

const optional = <T>(values: readonly T[]) => fc.option(fc.constantFrom(...values), { freq: 2 });
const filters = fc.record({
  agent_id: optional([...AGENTS, "agent-3"]),
  tool_name: optional(TOOLS.filter((name) => name !== "")),
  scope: optional(SCOPES.filter((name) => name !== "")),
  status: optional(ACTIVITY_STATUSES),
  decided_by: optional(DECIDED_BY),
  from: fc.option(
    fc.nat(5 * DAY_MS).map((ms) => NOW + ms),
    { freq: 2 },
  ),
  to: fc.option(
    fc.nat(5 * DAY_MS).map((ms) => NOW + ms),
    { freq: 2 },
  ),
  call_id: optional([...IDS, "x", ""]),
  arguments_digest: optional([0, 1, 2, 3, 9].map((n) => digestOf(n))),
  about: optional(["/a", "/a/b", "x.md", "/c/a", "a", "ab", "/d"]),
});

function digestOf(args: number): string {
  return call("x", { args, path: "/a/x.md" }).arguments_digest;
}

/** Writes the calls, and returns what the activity page must show of them. */
async function write(store: Store, calls: readonly Made[]): Promise<readonly ActivityRow[]> {
  const heard = new Map<number, ActivityRow>();
  store.onLine((line) => heard.set(line.line_id, line));
  for (const [
    index,
    { id, path, args, later, end, ran, report, indexed, ...about },
  ] of calls.entries()) {
    scratch.pass(later);
    const named = { args, path: NAMED[path]?.path ?? "" };
    const asked = call(`${id}-${index}-${path}`, named);
    const at = store.clock.now();
    if (ran) await store.ledger.recordIntent({ ...intent(asked, at), ...about }, named);
    if (end === null && ran) continue;
    const ended: OutcomeRecord = { ...outcome(asked, at, end ?? ENDS[0]), ...about };
    const response = { call_id: asked.call_id, status: "denied", reason: "user_refused" } as const;
    await store.ledger.recordOutcome(ended, ran ? { call: asked, response } : undefined, named);
    if (indexed) await store.maintain();
    if (report === null) continue;
    const { call_id, arguments_digest: result_digest } = asked;
    const { agent_id } = about;
    await store.ledger.recordCarriedOut({
      call_id,
      agent_id,
      status: report,
      result_digest,
      timestamp: at,
    });
  }
  return [...heard.values()].sort((one, other) => other.seq - one.seq);
}

/** Beside `about`, a line matches that has either. */
function isFound({ call_id }: ActivityRow, { about, call_id: start }: Filter): boolean {
  const subjects: readonly string[] = NAMED[Number(call_id.at(-1))]?.about ?? [];
  if (about == null) return call_id.startsWith(start ?? "");
  return subjects.includes(about) || (start != null && call_id.startsWith(start));
}

const fits = (row: ActivityRow, filter: Filter): boolean =>
  (filter.agent_id ?? row.agent_id) === row.agent_id &&
  (filter.tool_name ?? row.tool_name) === row.tool_name &&
  (filter.scope ?? row.scope) === row.scope &&
  (filter.status ?? row.status) === row.status &&
  (filter.decided_by ?? row.decided_by) === row.decided_by &&
  (filter.arguments_digest ?? row.arguments_digest) === row.arguments_digest &&
  isFound(row, filter) &&
  row.timestamp >= (filter.from ?? 0) &&
  row.timestamp < (filter.to ?? Number.POSITIVE_INFINITY);

function open(): Store {
  const { store } = scratch.open();
  store.keepSubjects(new Uint8Array(32));
  return store;
}

async function allPages(store: Store, filter: Filter, limit: number) {
  const rows: ActivityRow[] = [];
  let before: number | null = null;
  do {
    const page = await store.activity.page({ ...filter, limit, before_seq: before });
    expect(page.rows.length).toBeLessThanOrEqual(limit);
    rows.push(...page.rows);
    before = page.next_before_seq;
  } while (before !== null);
  return rows;
}

function countsOf(rows: readonly ActivityRow[], keyOf: (row: ActivityRow) => unknown) {
  const counts = new Map<unknown, Record<string, number>>();
  for (const row of rows) {
    if (row.status === "running") continue;
    const of: Record<string, number> = counts.get(keyOf(row)) ?? { ...NO_CALLS };
    of[row.status] = (of[row.status] ?? 0) + 1;
    counts.set(keyOf(row), of);
  }
  return counts;
}

async function expectExact(store: Store, model: readonly ActivityRow[], filter: Filter) {
  const expected = model.filter((row) => fits(row, filter));
  expect(await allPages(store, filter, 3)).toEqual(expected);
  const { total, days, agents } = await countLog(store, filter);
  expect(total).toBe(expected.length);
  const dayOf = ({ timestamp }: ActivityRow) => Math.floor(timestamp / DAY_MS) * DAY_MS;
  expect(new Map(days.map(({ day, ...counts }) => [day, counts]))).toEqual(
    countsOf(expected, dayOf),
  );
  expect(
    new Map(agents.map(({ agent_id, agent_name: _, ...counts }) => [agent_id, counts])),
  ).toEqual(countsOf(expected, (row) => row.agent_id));
}

describe("pages and summaries", () => {
  it("are exactly what a plain reading of every line would give, for any filter", async () => {
    const run = fc.asyncProperty(
      fc.array(made, { minLength: 1, maxLength: 40 }),
      fc.array(filters, { minLength: 8, maxLength: 8 }),
      async (calls, wanted) => {
        scratch.renew();
        const store = open();
        const model = await write(store, calls);
        for (const filter of wanted) await expectExact(store, model, filter);
        store.close();
      },
    );
    await fc.assert(run, { numRuns: 25 });
  }, 120_000);

  it("stay exact while a purge deletes the oldest, and afterwards", async () => {
    const run = fc.asyncProperty(
      fc.array(made, { minLength: 5, maxLength: 40 }),
      fc.array(filters, { minLength: 4, maxLength: 4 }),
      fc.nat(40 * DAY_MS),
      async (calls, wanted, later) => {
        scratch.renew();
        const store = open();
        const all = await write(store, calls);
        scratch.pass(later);
        await store.maintain();
        const cut = store.clock.safeNow() - 30 * DAY_MS;
        const model = all.filter(({ timestamp }) => timestamp >= cut);
        for (const filter of [{}, ...wanted]) await expectExact(store, model, filter);
        store.close();
      },
    );
    await fc.assert(run, { numRuns: 20 });
  }, 120_000);
});
