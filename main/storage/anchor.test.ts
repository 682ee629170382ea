import { cpSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { ManualTime } from "../../app/contract/testing/manual-time.ts";
import { call, NOW, outcome, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
let time: ManualTime;
let failures: unknown[];
beforeEach(() => {
  time = new ManualTime();
  failures = [];
});

const DAY = 24 * 3_600_000;
const file = () => join(scratch.base, "settings", "anchors", "one.json");
const kept = () => JSON.parse(readFileSync(file(), "utf8"));
const open = () =>
  scratch.open({
    anchor: { file: file(), scheduler: time, failed: (error) => failures.push(error) },
  });
type Opened = ReturnType<typeof open>["store"];
const add = (store: Opened, id: string) =>
  store.ledger.recordOutcome(outcome(call(id), store.clock.now()));

async function session(...ids: readonly string[]): Promise<void> {
  const { store } = open();
  for (const id of ids) await add(store, id);
  store.close();
}

const copy = () => cpSync(scratch.dataDir, `${scratch.dataDir}-copy`, { recursive: true });
function putBack(): void {
  rmSync(scratch.dataDir, { recursive: true });
  cpSync(`${scratch.dataDir}-copy`, scratch.dataDir, { recursive: true });
}

async function rollBack(): Promise<void> {
  await session("one");
  copy();
  await session("two");
  putBack();
}

describe("the anchor", () => {
  it("names the last record after a close, for its owner alone", async () => {
    await session("one", "two");
    expect(kept()).toMatchObject({ version: 1, head: { seq: 2 }, breaks: [] });
    if (process.platform !== "win32") expect(statSync(file()).mode & 0o777).toBe(0o600);
    expect(existsSync(`${file()}.last`)).toBe(false);
  });

  it("follows a second behind at most, and never names what is not durable", async () => {
    const { store } = open();
    const before = existsSync(file()) ? kept().head.seq : 0;
    const writing = add(store, "one");
    expect(existsSync(file()) ? kept().head.seq : 0).toBe(before);
    await writing;
    time.pass(1_000);
    await expect.poll(() => existsSync(file()) && kept().head.seq).toBe(1);
    expect(time.pending).toBe(0);
    store.close();
    expect(time.pending).toBe(0);
  });

  it("names the last record although closing overtakes an earlier write", async () => {
    const { store } = open();
    await add(store, "one");
    time.pass(1_000);
    const written = add(store, "two");
    store.close();
    await Promise.all([written, store.settled()]);
    expect(kept()).toMatchObject({ head: { seq: 2 } });
  });

  it("is left as it was by an opening that fails after its first write", async () => {
    await session("one");
    scratch.pass(20 * DAY);
    await session("two");
    scratch.pass(20 * DAY);
    const anchor = readFileSync(file(), "utf8");
    scratch.sql(
      "CREATE TRIGGER kept BEFORE DELETE ON audit_log BEGIN SELECT RAISE(ABORT, 'kept'); END",
    );
    expect(open).toThrow("store_refused");
    expect(time.pending).toBe(0);
    expect(readFileSync(file(), "utf8")).toBe(anchor);
  });

  it("accepts a log that continued without it, as after a crash", async () => {
    await session("one");
    const anchor = readFileSync(file());
    await session("two");
    writeFileSync(file(), anchor);
    const { store, rolledBack } = open();
    expect(rolledBack).toBe(false);
    expect(await store.activity.verify()).toMatchObject({ ok: true });
  });

  it("notices that an older copy was restored, reports it in verify, and starts over from it", async () => {
    await session("one");
    copy();
    await session("two", "three");
    putBack();
    const again = open();
    expect(again.rolledBack).toBe(true);
    const verdict = { ok: false, fault: "rolled_back", seq: 2, verified: 1 };
    expect(await again.store.activity.verify()).toEqual(verdict);
    again.store.close();
    expect(kept()).toMatchObject({
      head: { seq: 1 },
      breaks: [{ expected: { seq: 3 }, found: { seq: 1 } }],
    });
    const { store, rolledBack } = open();
    expect(rolledBack).toBe(true);
    expect(await store.activity.verify()).toEqual(verdict);
  });

  it("verifies again once the person has acknowledged a rollback, which the log records", async () => {
    await rollBack();
    const { store } = open();
    scratch.pass(1_000);
    await store.acknowledgeRollbacks();
    const seen = { kind: "acknowledgement", noticed_at: NOW, expected_seq: 2, found_seq: 1 };
    const verdict = { ok: true, verified: 2, acknowledged: [{ ...seen, timestamp: NOW + 1_000 }] };
    expect(await store.activity.verify()).toMatchObject(verdict);
    store.close();
    expect(kept()).toMatchObject({ head: { seq: 2 }, breaks: [] });
    const again = open();
    expect(again.rolledBack).toBe(false);
    await again.store.acknowledgeRollbacks();
    expect(await again.store.activity.verify()).toMatchObject(verdict);
  });

  it("knows an acknowledgement that its file missed, as after a crash", async () => {
    await rollBack();
    open().store.close();
    const anchor = readFileSync(file());
    const { store } = open();
    await store.acknowledgeRollbacks();
    store.close();
    writeFileSync(file(), anchor);
    const again = open();
    expect(again.rolledBack).toBe(false);
    again.store.close();
    expect(kept().breaks).toEqual([]);
  });

  it("notices that a copy from before an acknowledgement was restored", async () => {
    await rollBack();
    open().store.close();
    copy();
    const { store } = open();
    await store.acknowledgeRollbacks();
    store.close();
    putBack();
    expect(open().rolledBack).toBe(true);
  });

  it("notices a copy that has grown past the anchor since", async () => {
    await session("one");
    copy();
    await session("two");
    const anchor = readFileSync(file());
    putBack();
    rmSync(file());
    await session("other", "another", "more");
    writeFileSync(file(), anchor);
    expect(open().rolledBack).toBe(true);
  });

  it("counts a deleted data folder as a lost log", async () => {
    await session("one", "two");
    rmSync(scratch.dataDir, { recursive: true });
    const { store, rolledBack } = open();
    expect(rolledBack).toBe(true);
    expect(await store.activity.verify()).toMatchObject({ fault: "rolled_back", seq: 1 });
  });

  it("remembers a loss for longer than the log would have kept what was lost", async () => {
    await rollBack();
    open().store.close();
    scratch.pass(30 * DAY + 1);
    const { store, rolledBack } = open();
    expect(rolledBack).toBe(true);
    expect(await store.activity.verify()).toMatchObject({ fault: "rolled_back" });
  });

  it("accepts a log whose checkpoint covers its purged record", async () => {
    await session("one");
    const anchor = readFileSync(file());
    scratch.pass(20 * DAY);
    await session("two");
    scratch.pass(20 * DAY);
    await session("three");
    writeFileSync(file(), anchor);
    expect(open().rolledBack).toBe(false);
  });

  it("reports nothing of its own when a damaged database was set aside", async () => {
    await session("one");
    writeFileSync(scratch.file, "this is not a database ".repeat(500));
    const { store, rolledBack, setAside } = open();
    expect(setAside).not.toBeNull();
    expect(rolledBack).toBe(false);
    store.close();
    expect(open().rolledBack).toBe(false);
  });

  it("starts over if its file is missing or unreadable", async () => {
    await session("one");
    writeFileSync(file(), '{"version":2}');
    expect(open().rolledBack).toBe(false);
  });

  it("stops no call if it cannot be written", async () => {
    await session("one");
    const folder = join(scratch.base, "settings");
    rmSync(folder, { recursive: true });
    writeFileSync(folder, "a file in its way");
    const { store } = open();
    await add(store, "two");
    time.pass(1_000);
    await expect.poll(() => failures.length).toBeGreaterThan(0);
  });
});
