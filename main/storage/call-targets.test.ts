import { cpSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../app/contract/json.ts";
import { callTarget } from "../../app/contract/target/call-target.ts";
import type { Store } from "./index.ts";
import { call, intent, NOW, okResponse, outcome, ScratchStore } from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
const KEY = new Uint8Array(32).fill(7);
const DAY = 24 * 3_600_000;

function open(place = scratch, key = KEY): Store {
  const { store } = place.open();
  store.keepSubjects(key);
  store.keepTargets(key, ({ tool_name }, args) =>
    callTarget({ tool_name, arguments: args, preview: null, folders: ["/home/ada/shop"] }),
  );
  return store;
}

async function run(store: Store, id: string, tool_name: string, args: JsonObject): Promise<void> {
  const made = { ...call(id, args), tool_name };
  await store.ledger.recordIntent(intent(made, scratch.wall), args);
  const answered = { call: made, response: okResponse(made, "x") };
  await store.ledger.recordOutcome(outcome(made, scratch.wall), answered, args);
}

const PUBLISH = { argv: ["npm", "publish"], directory: "/home/ada/shop" };
const targetsIn = async (store: Store) =>
  (await store.activity.page({ limit: 9 })).rows.map(({ target }) => target?.parts);

/** A copy of the data folder as a kill would leave it now. */
function killed(): ScratchStore {
  const left = new ScratchStore();
  left.renew();
  cpSync(scratch.dataDir, left.dataDir, { recursive: true });
  return left;
}

it("lines say after a restart what they were about, and the file does not", async () => {
  const store = open();
  await run(store, "publish", "run_command", PUBLISH);
  await store.ledger.recordOutcome(
    outcome({ ...call("no", PUBLISH), tool_name: "run_command" }),
    undefined,
    PUBLISH,
  );
  store.close();
  expect(readFileSync(scratch.file).includes("npm publish")).toBe(false);
  const again = open();
  const npm = { command: { text: "npm publish" }, path: { name: "shop" } };
  expect(await targetsIn(again)).toMatchObject([npm, npm]);
  expect(await again.activity.lines("publish", "agent-1")).toMatchObject([
    { target: { kind: "run" } },
  ]);
});

it("another key opens none", async () => {
  const store = open();
  await run(store, "publish", "run_command", PUBLISH);
  store.close();
  expect(await targetsIn(open(scratch, new Uint8Array(32)))).toEqual([undefined]);
});

it("keeps paths, hosts and commands, but no texts, no queries and nothing long", async () => {
  const store = open();
  await run(store, "1", "write_clipboard", { text: "my secret" });
  await run(store, "2", "fetch_url", { url: "https://api.example/a?token=secret" });
  await run(store, "3", "search_files", { path: "/home/ada/shop", content: "secret" });
  await run(store, "4", "read_file", { path: `/${"a".repeat(4_000)}` });
  expect(await targetsIn(store)).toMatchObject([
    undefined,
    { path: { name: "shop" } },
    { address: { host: "api.example", rest: "" } },
    undefined,
  ]);
  const pages = await store.activity.page({ limit: 9 });
  expect(JSON.stringify(pages)).not.toContain("secret");
});

it("goes with its record, and all of it when the person wants none kept", async () => {
  const store = open();
  await run(store, "old", "run_command", PUBLISH);
  scratch.pass(31 * DAY);
  await run(store, "new", "run_command", PUBLISH);
  await store.maintain();
  expect(await targetsIn(store)).toHaveLength(1);
  await store.forgetTargets();
  expect(await targetsIn(store)).toEqual([undefined]);
  scratch.sql(
    "CREATE TRIGGER none BEFORE DELETE ON call_targets BEGIN SELECT RAISE(ABORT, 'left'); END",
  );
  await store.forgetTargets();
});

it("a word of a line that a shell reads finds the call", async () => {
  const store = open();
  await run(store, "line", "run_command", { argv: ["sh", "-c", "cd app && npm publish"] });
  for (const about of ["npm", "publish", "NPM"]) {
    const { rows } = await store.activity.page({ about, limit: 9 });
    expect(rows.map(({ call_id }) => call_id)).toEqual(["line"]);
  }
});

describe("a request that is shown", () => {
  const shown = { ...intent(call("asked", PUBLISH)), tool_name: "run_command", arguments: PUBLISH };

  it("when the program is killed is in the log as such, and may come again", async () => {
    const store = open();
    await store.ledger.recordShown(shown);
    const left = killed();
    const again = open(left);
    const { rows } = await again.activity.page({ limit: 9 });
    expect(rows).toMatchObject([
      { call_id: "asked", status: "interrupted", decided_by: "contract", target: { kind: "run" } },
    ]);
    expect(again.ledger.find("agent-1", "asked")).toBeUndefined();
    await again.ledger.recordIntent(intent(call("asked", PUBLISH)), PUBLISH);
    expect((await again.activity.page({ limit: 9 })).rows).toHaveLength(2);
    expect(await again.activity.verify()).toMatchObject({ ok: true });
    again.close();
    expect((await open(left).activity.page({ limit: 9, status: "interrupted" })).rows).toHaveLength(
      2,
    );
    left.remove();
  });

  it("and answered, or waits at an orderly end, has no such line", async () => {
    const store = open();
    await store.ledger.recordShown(shown);
    await store.ledger.recordShown({ ...shown, call_id: "waits" });
    const made = { ...call("asked", PUBLISH), tool_name: "run_command" };
    const denied = { status: "denied", reason: "user_refused", error_code: null } as const;
    await store.ledger.recordOutcome(outcome(made, NOW, denied), {
      call: made,
      response: { call_id: "asked", status: "denied", reason: "user_refused" },
    });
    store.close();
    const { rows } = await open().activity.page({ limit: 9 });
    expect(rows.map(({ status }) => status)).toEqual(["denied"]);
  });
});
