import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { openToRead } from "../../runtime/sqlite/open-database.ts";
import { agent, call, intent, okResponse, outcome, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const MONTH = 30 * DAY;
type Opened = ReturnType<ScratchStore["open"]>["store"];

async function make(store: Opened, id: string): Promise<void> {
  const at = store.clock.now();
  const made = call(id);
  await store.ledger.recordIntent(intent(made, at));
  await store.ledger.recordOutcome(outcome(made, at), {
    call: made,
    response: okResponse(made, "x"),
  });
}

async function left(store: Opened): Promise<readonly string[]> {
  await store.maintain();
  const ids = (await store.activity.page({ limit: 100 })).rows.map(({ call_id }) => call_id);
  for (const id of ["one", "two"]) {
    expect(store.ledger.find("agent-1", id) !== undefined).toBe(ids.includes(id));
  }
  expect(await store.activity.verify()).toMatchObject({ ok: true });
  return ids.toReversed();
}

describe("an entry is kept for 30 × 24 hours and gone the minute after (contract §6)", () => {
  it("while the program runs", async () => {
    const { store } = scratch.open();
    await make(store, "one");
    scratch.pass(MINUTE);
    await make(store, "two");
    scratch.pass(MONTH - MINUTE);
    expect(await left(store)).toEqual(["one", "two"]);
    scratch.pass(1);
    expect(await left(store)).toEqual(["two"]);
    scratch.pass(MINUTE);
    expect(await left(store)).toEqual([]);
  });

  it("while it did not run", async () => {
    const first = scratch.open().store;
    await make(first, "one");
    scratch.pass(MINUTE);
    await make(first, "two");
    first.close();
    scratch.wall += MONTH;
    const { store } = scratch.open();
    expect(await left(store)).toEqual(["two"]);
  });

  it.each([
    ["forward", 400 * DAY],
    ["back", -400 * DAY],
  ])("although the clock was set %s before, between and after", async (_, jump) => {
    const { store } = scratch.open();
    await make(store, "one");
    scratch.wall += jump;
    scratch.pass(MINUTE);
    await make(store, "two");
    scratch.wall += jump;
    expect(await left(store)).toEqual(["one", "two"]);
    scratch.pass(MONTH - MINUTE);
    expect(await left(store)).toEqual(["one", "two"]);
    scratch.pass(1);
    expect(await left(store)).toEqual(["two"]);
    scratch.wall -= 2 * jump;
    scratch.pass(MINUTE);
    expect(await left(store)).toEqual([]);
  });

  it.each([
    ["forward", 400 * DAY],
    ["back", -400 * DAY],
  ])("although the clock had been set %s when the program was closed", async (_, jump) => {
    const first = scratch.open().store;
    await make(first, "one");
    scratch.wall += jump;
    scratch.pass(MINUTE);
    await make(first, "two");
    first.close();
    scratch.wall += MONTH - MINUTE;
    const second = scratch.open().store;
    expect(await left(second)).toEqual(["one", "two"]);
    scratch.pass(1);
    expect(await left(second)).toEqual(["two"]);
    second.close();
    scratch.wall += MINUTE;
    const { store } = scratch.open();
    expect(await left(store)).toEqual([]);
  });

  it("makes up for a clock that stood wrong at the start, once it is set right", async () => {
    const first = scratch.open().store;
    await make(first, "one");
    first.close();
    scratch.wall += MONTH - 10 * MINUTE;
    const right = scratch.wall;
    scratch.wall -= 300 * DAY;
    const { store } = scratch.open();
    scratch.pass(5 * MINUTE);
    expect(await left(store)).toEqual(["one"]);
    scratch.wall = right + 5 * MINUTE;
    expect(await left(store)).toEqual(["one"]);
    scratch.pass(5 * MINUTE + 1);
    expect(await left(store)).toEqual([]);
  });
});

describe("what was purged", () => {
  it("is in no file any more, not even in free pages", async () => {
    const { store } = scratch.open();
    await store.agents.accept(agent());
    const secrets = ["secret-call", "secret_tool", "secret:scope", "secret-conversation"] as const;
    const [id, tool_name, scope, conversation_id] = secrets;
    for (let count = 0; count < 300; count += 1) {
      const made = call(`${id}-${count}`, { count });
      const odd = { tool_name, scope, conversation_id };
      await store.ledger.recordIntent({ ...intent(made), ...odd });
      await store.ledger.recordOutcome(
        { ...outcome(made), ...odd },
        { call: made, response: okResponse(made, "x".repeat(count)) },
      );
    }
    const inFiles = () =>
      ["", "-wal"].map((end) => readFileSync(scratch.file + end, "latin1")).join("");
    for (const secret of secrets) expect(inFiles()).toContain(secret);
    const digest = call(`${id}-7`, { count: 7 }).arguments_digest;
    expect(inFiles()).toContain(digest);
    scratch.pass(MONTH + 1);
    expect(await store.maintain()).toEqual({ purged: 600 });
    for (const secret of [...secrets, digest]) expect(inFiles()).not.toContain(secret);
  });

  it("leaves the write-ahead log as soon as nobody reads any more", async () => {
    const { store } = scratch.open();
    await make(store, "secret-call");
    const reader = openToRead(scratch.file);
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM audit_log").get();
    scratch.pass(MONTH + 1);
    await store.maintain();
    expect(readFileSync(`${scratch.file}-wal`, "latin1")).toContain("secret-call");
    reader.close();
    await store.maintain();
    expect(readFileSync(`${scratch.file}-wal`, "latin1")).not.toContain("secret-call");
  });
});
