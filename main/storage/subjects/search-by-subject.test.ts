import Database from "better-sqlite3";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../app/contract/json.ts";
import type { Store } from "../store.ts";
import { countLog } from "../testing/count-log.ts";
import { call, intent, NOW, okResponse, outcome, ScratchStore } from "../testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const DAY = 24 * 3_600_000;
const KEY = new Uint8Array(32).fill(7);
const NOTES = { path: "/home/ada/proj/Notes.md" };

function open(key = KEY): Store {
  const { store } = scratch.open();
  store.keepSubjects(key);
  return store;
}

async function run(store: Store, id: string, args: JsonObject): Promise<void> {
  const made = call(id, args);
  await store.ledger.recordIntent(intent(made, scratch.wall), args);
  const answered = { call: made, response: okResponse(made, "x") };
  await store.ledger.recordOutcome(outcome(made, scratch.wall), answered, args);
}

const refused = { status: "denied", reason: "user_refused", error_code: null } as const;
const refuse = (store: Store, id: string, args: JsonObject) =>
  store.ledger.recordOutcome(outcome(call(id, args), scratch.wall, refused), undefined, args);

const found = async (store: Store, about: string, more: object = {}) => {
  const { rows } = await store.activity.page({ about, limit: 50, ...more });
  return rows.map(({ call_id }) => call_id);
};

/** What is stored for the search: records with digests, entries of the index. */
const stored = () => {
  const db = new Database(scratch.file, { readonly: true });
  const count = (sql: string) => db.prepare(`SELECT count(*) FROM ${sql}`).pluck().get();
  const counts = [count("audit_log WHERE subjects IS NOT NULL"), count("subject_lines")];
  db.close();
  return counts;
};

describe.each(["as soon as they are written", "once they are indexed"])(
  "calls are found %s",
  (at) => {
    const settle = async (store: Store) => {
      if (at === "once they are indexed") await store.maintain();
    };

    it("by path, name, folder above, host and program, the newest first", async () => {
      const store = open();
      await run(store, "read", NOTES);
      await refuse(store, "refused", { path: "/home/ada/proj/other.md" });
      await run(store, "page", { url: "https://example.com/a" });
      await run(store, "git", { argv: ["git", "log"], directory: "/home/ada/proj" });
      await settle(store);
      expect(await found(store, "/home/ada/proj/notes.md")).toEqual(["read"]);
      expect(await found(store, "notes.md")).toEqual(["read"]);
      expect(await found(store, "/home/ada/proj/")).toEqual(["git", "refused", "read"]);
      expect(await found(store, "example.com")).toEqual(["page"]);
      expect(await found(store, "https://EXAMPLE.com/b")).toEqual(["page"]);
      expect(await found(store, "git")).toEqual(["git"]);
      expect(await found(store, "/home/ada/pro")).toEqual([]);
    });

    it("by another filter too, and page by page without loss", async () => {
      const store = open();
      const ids = Array.from({ length: 25 }, (_, index) => `call-${index}`);
      for (const id of ids) await run(store, id, NOTES);
      await settle(store);
      expect(await found(store, "notes.md", { status: "denied" })).toEqual([]);
      const pages: string[] = [];
      for (let before: number | null = null; ; ) {
        const page = await store.activity.page({
          about: "notes.md",
          limit: 7,
          ...(before === null ? {} : { before_seq: before }),
        });
        pages.push(...page.rows.map(({ call_id }) => call_id));
        before = page.next_before_seq;
        if (before === null) break;
      }
      expect(pages).toEqual(ids.toReversed());
      expect((await countLog(store, { about: "notes.md" })).total).toBe(25);
    });

    it("together with those whose call id begins so", async () => {
      const store = open();
      await run(store, "git-7", NOTES);
      await run(store, "other", { argv: ["git"], directory: "/srv" });
      await run(store, "neither", NOTES);
      await settle(store);
      expect(await found(store, "git", { call_id: "git" })).toEqual(["other", "git-7"]);
    });

    it("while they run, and when they were interrupted", async () => {
      const store = open();
      await store.ledger.recordIntent(intent(call("runs", NOTES), NOW), NOTES);
      await settle(store);
      expect(await found(store, "notes.md")).toEqual(["runs"]);
      store.close();
      const again = open();
      await settle(again);
      expect(await found(again, "notes.md")).toEqual(["runs"]);
      expect(await found(again, "notes.md", { status: "interrupted" })).toEqual(["runs"]);
    });
  },
);

it("a rare ending below thousands of other calls about the same folder is on the first page", async () => {
  const store = open();
  await refuse(store, "rare", NOTES);
  const ids = Array.from({ length: 2_100 }, (_, index) => `call-${index}`);
  await Promise.all(ids.map((id) => run(store, id, NOTES)));
  await store.maintain();
  const page = await store.activity.page({ about: "/home/ada", status: "denied", limit: 50 });
  expect(page.rows.map(({ call_id }) => call_id)).toEqual(["rare"]);
  expect(page.next_before_seq).toBeNull();
});

it("each call is indexed once, when it has ended", async () => {
  const store = open();
  for (let index = 0; index < 250; index += 1) await run(store, `call-${index}`, { path: "/a/b" });
  await store.ledger.recordIntent(intent(call("runs", NOTES), NOW), NOTES);
  expect(stored()).toEqual([251, 0]);
  await store.maintain();
  expect(stored()).toEqual([251, 750]);
  await store.maintain();
  expect(stored()).toEqual([251, 750]);
  const made = call("runs", NOTES);
  await store.ledger.recordOutcome(outcome(made, NOW, refused), {
    call: made,
    response: { call_id: "runs", status: "denied", reason: "user_refused" },
  });
  await store.maintain();
  expect(stored()).toEqual([251, 755]);
});

it("a purge takes the digests with the records, whether indexed or not", async () => {
  const store = open();
  await run(store, "indexed", NOTES);
  await store.maintain();
  await refuse(store, "waiting", NOTES);
  scratch.pass(31 * DAY);
  await run(store, "younger", NOTES);
  await store.maintain();
  await store.maintain();
  expect(await found(store, "notes.md")).toEqual(["younger"]);
  expect(stored()).toEqual([1, 5]);
});

it("a purge takes them with the record that a call began with, though its end stays", async () => {
  const store = open();
  const made = call("long", NOTES);
  await store.ledger.recordIntent(intent(made, scratch.wall), NOTES);
  scratch.pass(2 * DAY);
  await store.ledger.recordOutcome(outcome(made, scratch.wall), {
    call: made,
    response: okResponse(made, "x"),
  });
  await store.maintain();
  expect(stored()).toEqual([1, 5]);
  scratch.pass(29 * DAY);
  await store.maintain();
  expect(stored()).toEqual([0, 0]);
  expect((await store.activity.page({ limit: 5 })).rows).toHaveLength(1);
  expect(await found(store, "notes.md")).toEqual([]);
});

it("the file names nothing that calls are about, and another key finds nothing in it", async () => {
  const store = open();
  await run(store, "read", NOTES);
  await store.maintain();
  store.close();
  const db = new Database(scratch.file, { readonly: true });
  const [blob] = db.prepare("SELECT subjects FROM audit_log WHERE seq = 1").pluck().all();
  db.close();
  expect(Buffer.from(blob as Uint8Array).length).toBe(5 * 16);
  expect(await found(open(new Uint8Array(32)), "notes.md")).toEqual([]);
});
