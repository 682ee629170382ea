import Database from "better-sqlite3";
import { expect, it } from "vitest";
import { call, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const REFUSED = { status: "denied", reason: "tool_not_declared", error_code: null } as const;

it("an agent that makes up a tool and a scope for each call makes one facet", async () => {
  const { store } = scratch.open();
  const made = Array.from({ length: 400 }, (_, count) => ({
    ...outcome(call(`call-${count}`), scratch.wall, REFUSED),
    tool_name: `tool_${count}`,
    scope: `scope:${count % 50}`,
  }));
  await Promise.all(made.map((each) => store.ledger.recordOutcome(each)));
  const idsOf = async (filter: object) =>
    (await store.activity.page({ limit: 100, ...filter })).rows.map(({ call_id }) => call_id);
  expect(await idsOf({ tool_name: "tool_7" })).toEqual(["call-7"]);
  expect(await idsOf({ scope: "scope:49" })).toHaveLength(8);
  expect(await idsOf({ scope: "scope:49", tool_name: "tool_99" })).toEqual(["call-99"]);
  expect(await idsOf({ scope: "scope:49", tool_name: "tool_98" })).toEqual([]);
  store.close();
  const db = new Database(scratch.file);
  expect(db.prepare("SELECT count(*) FROM facets").pluck().get()).toBe(1);
  db.close();
});

it("a page that would read too many lines is short, and its cursor continues from there", async () => {
  const { store } = scratch.open();
  const made = Array.from({ length: 5_000 }, (_, count) => ({
    ...outcome(call(`call-${count}`), scratch.wall, REFUSED),
    tool_name: "same_tool",
    scope: count % 2_500 === 0 ? "rare:scope" : "usual:scope",
  }));
  await Promise.all(made.map((each) => store.ledger.recordOutcome(each)));
  const found: string[] = [];
  let pages = 0;
  let before: number | null = null;
  do {
    const page = await store.activity.page({
      limit: 50,
      tool_name: "same_tool",
      scope: "rare:scope",
      before_seq: before,
    });
    found.push(...page.rows.map(({ call_id }) => call_id));
    before = page.next_before_seq;
    pages += 1;
  } while (before !== null);
  expect(found).toEqual(["call-2500", "call-0"]);
  expect(pages).toBeGreaterThan(1);
});
