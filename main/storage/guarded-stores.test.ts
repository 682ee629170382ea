import { readFileSync } from "node:fs";
import Database from "better-sqlite3";
import { Create } from "typebox/value";
import { beforeEach, describe, expect, it } from "vitest";
import { LIMITS } from "../../app/contract/limits.ts";
import { Settings } from "../../app/contract/settings.ts";
import {
  agent,
  call,
  hashOf,
  intent,
  manifest,
  NOW,
  ScratchStore,
} from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();
let store: ReturnType<ScratchStore["open"]>["store"];
beforeEach(() => {
  store = scratch.open().store;
});

const period = (conversation_id = "conversation-1") => ({
  agent_id: "agent-1",
  conversation_id,
  scope: "filesystem:read",
  subject: { kind: "folder", path: "/home/me" } as const,
  manifest_hash: "a".repeat(64),
  opened_at: NOW,
  last_used_at: NOW,
  made_on: "call-1",
});
const rule = {
  agent_id: "agent-1",
  covers: "write_file",
  subject: { kind: "anything" },
  effect: "deny",
  ends_at: null,
  for_task: false,
  answers_high: false,
  manifest_hash: "a".repeat(64),
  made_at: NOW,
  made_on: "call-1",
} as const;
const expectRefused = (work: Promise<unknown>) =>
  expect(work).rejects.toMatchObject({ code: "store_refused" });
const stateOf = (scope = "filesystem:read") =>
  store.agents.agent("agent-1")?.grants.get(scope)?.state;

function reopen(): void {
  store.close();
  store = scratch.open().store;
}

/** Makes every write to a table fail, as if it were damaged or the disk full. */
function failWrites(table: string): void {
  for (const verb of ["INSERT", "UPDATE", "DELETE"]) {
    scratch.sql(`CREATE TRIGGER fail_${verb} BEFORE ${verb} ON ${table}
      BEGIN SELECT RAISE(ABORT, 'refused'); END`);
  }
}

describe("agents", () => {
  it("are complete and frozen after reopening", async () => {
    await store.agents.accept(agent());
    reopen();
    const known = store.agents.agent("agent-1");
    if (known === undefined) throw new Error("the agent is gone");
    expect({ ...known, grants: new Map(known.grants) }).toEqual(agent());
    expect(Object.isFrozen(known)).toBe(true);
    expect(() => (known.grants as Map<string, unknown>).clear()).toThrow(TypeError);
  });

  it("are known only once they are durable", async () => {
    const accepted = store.agents.accept(agent());
    expect(store.agents.agent("agent-1")).toBeUndefined();
    await accepted;
    expect(stateOf()).toBe("granted");
  });

  it("keep the reviewed manifest until the new one was reviewed", async () => {
    await store.agents.accept(agent());
    const next = manifest("2.0.0");
    const update = { manifest: next, manifest_version: 2, manifest_hash: hashOf(next) };
    await store.agents.replaceManifest("agent-1", update);
    reopen();
    expect(store.agents.agent("agent-1")).toMatchObject({
      ...update,
      reviewed_hash: hashOf(manifest()),
      reviewed_manifest: manifest(),
    });
    await store.agents.markReviewed("agent-1");
    reopen();
    expect(store.agents.agent("agent-1")?.reviewed_hash).toBe(hashOf(next));
  });

  it("refuse a manifest that does not match its hash, and an unknown agent", async () => {
    await expectRefused(store.agents.accept({ ...agent(), manifest_hash: "0".repeat(64) }));
    await expect(store.agents.markReviewed("nobody")).rejects.toMatchObject({
      code: "store_unknown_agent",
    });
  });

  it("gain and lose folders; one chosen again keeps its id", async () => {
    await store.agents.accept(agent());
    const path = "/home/me/b";
    const added = await store.agents.addRoot("agent-1", { path, access: "read" });
    const wider = await store.agents.addRoot("agent-1", { path, access: "read_write" });
    expect(wider.root_id).toBe(added.root_id);
    const removed = store.agents.removeRoot("agent-1", "root-1");
    expect(store.agents.agent("agent-1")?.roots).toEqual([wider]);
    await removed;
    reopen();
    expect(store.agents.agent("agent-1")?.roots).toEqual([wider]);
  });

  it("take their grants, quiet periods and rules with them", async () => {
    await store.agents.accept(agent());
    await Promise.all([store.grants.startQuietPeriod(period()), store.grants.addRule(rule)]);
    const removed = store.agents.remove("agent-1");
    expect(store.agents.agent("agent-1")).toBeUndefined();
    expect(store.grants.quietPeriods(period())).toEqual([]);
    await removed;
    reopen();
    expect(store.agents.list()).toEqual([]);
    expect(store.grants.rules("agent-1")).toEqual([]);
    await store.agents.accept(agent());
    expect(stateOf()).toBe("granted");
  });
});

describe("a revocation", () => {
  it("takes effect at once and ends the scope's quiet periods, a grant once durable", async () => {
    await store.agents.accept(agent());
    await store.grants.startQuietPeriod(period());
    const revoked = store.agents.setGrants("agent-1", [
      { scope: "filesystem:read", state: "revoked" },
      { scope: "clipboard:read", state: "granted" },
    ]);
    expect([stateOf(), stateOf("clipboard:read")]).toEqual(["revoked", undefined]);
    expect(store.grants.quietPeriods(period())).toEqual([]);
    await revoked;
    reopen();
    expect([stateOf(), stateOf("clipboard:read")]).toEqual(["revoked", "granted"]);
    expect(store.grants.quietPeriodsOf("agent-1")).toEqual([]);
  });

  it("is not undone by a grant that was still on its way", async () => {
    await store.agents.accept(agent());
    const change = (state: "granted" | "revoked") =>
      store.agents.setGrants("agent-1", [{ scope: "filesystem:read", state }]);
    const seen: unknown[] = [];
    const granted = change("granted").then(() => seen.push(stateOf()));
    await Promise.all([granted, change("revoked")]);
    expect(seen).toEqual(["revoked"]);
    await Promise.all([change("revoked"), change("granted")]);
    expect(stateOf()).toBe("granted");
  });

  it("stays in effect when it cannot be stored", async () => {
    await store.agents.accept(agent());
    failWrites("grants");
    const change = { scope: "filesystem:read", state: "awaiting_reconsent" } as const;
    const revoked = store.agents.setGrants("agent-1", [change]);
    await expectRefused(revoked);
    expect(stateOf()).toBe("awaiting_reconsent");
  });

  it("covers a quiet period that is being stored, even when the revocation cannot be stored", async () => {
    await store.grants.startQuietPeriod(period("other"));
    const opened = store.grants.startQuietPeriod(period());
    const closed = store.grants.endQuietPeriodsOf("agent-1");
    await Promise.all([opened, closed]);
    expect(store.grants.quietPeriodsOf("agent-1")).toEqual([]);
    await store.grants.startQuietPeriod(period());
    failWrites("silence_windows");
    await expect(store.grants.endQuietPeriod(period())).rejects.toBeDefined();
    expect(store.grants.quietPeriods(period())).toEqual([]);
  });
});

describe("quiet periods and rules", () => {
  it("come back after reopening", async () => {
    await store.grants.startQuietPeriod(period());
    const added = store.grants.addRule(rule);
    expect(store.grants.rules("agent-1")).toMatchObject([rule]);
    const { rule_id } = await added;
    reopen();
    expect(store.grants.quietPeriodsOf("agent-1")).toEqual([period()]);
    expect(store.grants.rules("agent-1")).toEqual([
      { ...rule, rule_id, last_used_at: null, uses: 0 },
    ]);
    const removed = store.grants.removeRule(rule_id);
    expect(store.grants.rules("agent-1")).toHaveLength(1);
    await removed;
    expect(store.grants.rules("agent-1")).toEqual([]);
  });

  it("a rule that allows counts once it is stored, and ends at once", async () => {
    const added = store.grants.addRule({ ...rule, effect: "allow" });
    expect(store.grants.rules("agent-1")).toEqual([]);
    const { rule_id } = await added;
    store.grants.countUse(rule_id, NOW + 1);
    store.grants.countUse(rule_id, NOW + 2);
    expect(store.grants.rules("agent-1")).toMatchObject([{ uses: 2, last_used_at: NOW + 2 }]);
    await store.tick();
    reopen();
    expect(store.grants.rules("agent-1")).toMatchObject([{ uses: 2, last_used_at: NOW + 2 }]);
    const removed = store.grants.removeRule(rule_id);
    expect(store.grants.rules("agent-1")).toEqual([]);
    await removed;
  });

  it("a rule replaces the one about the same, and those that are over", async () => {
    await store.grants.addRule(rule);
    await store.grants.addRule({ ...rule, covers: "read_file", ends_at: NOW + 1 });
    const asking = { ...rule, effect: "ask", made_at: NOW + 1 } as const;
    await store.grants.addRule(asking);
    expect(store.grants.rules("agent-1")).toMatchObject([asking]);
    reopen();
    expect(store.grants.rules("agent-1")).toMatchObject([asking]);
  });

  it("a rule for a task ends with the agent and with the program", async () => {
    const task = { ...rule, for_task: true, effect: "allow" } as const;
    await store.grants.addRule(task);
    await store.grants.addRule({ ...rule, covers: "read_file" });
    await store.grants.endTasksOf("agent-1");
    expect(store.grants.rules("agent-1")).toMatchObject([{ covers: "read_file" }]);
    await store.grants.addRule(task);
    reopen();
    expect(store.grants.rules("agent-1")).toMatchObject([{ covers: "read_file" }]);
  });

  it("slide at once, are stored with the next commit of each minute, and never slide back", async () => {
    await store.grants.startQuietPeriod(period());
    const minute = NOW + 60_000;
    store.grants.touchQuietPeriod(period(), minute);
    store.grants.touchQuietPeriod(period(), minute - 100);
    store.grants.touchQuietPeriod(period(), minute + 500);
    expect(store.grants.quietPeriods(period())[0]?.last_used_at).toBe(minute + 500);
    store.grants.touchQuietPeriod(period("unknown"), minute);
    reopen();
    const slid = { ...period(), last_used_at: minute };
    expect(store.grants.quietPeriodsOf("agent-1")).toEqual([slid]);
  });
});

describe("quiet periods of one conversation and scope", () => {
  const folder = (path: string) => ({ ...period(), subject: { kind: "folder", path } as const });
  const paths = () => store.grants.quietPeriods(period()).map(({ subject }) => subject);

  it("are separate for each subject, and end one by one", async () => {
    const whole = { ...period(), subject: { kind: "scope" } as const };
    await store.grants.startQuietPeriod(folder("/home/me/a"));
    await store.grants.startQuietPeriod(whole);
    await store.grants.startQuietPeriod({ ...folder("/home/me/a"), opened_at: NOW + 5 });
    reopen();
    const again = { ...folder("/home/me/a"), opened_at: NOW + 5 };
    expect(store.grants.quietPeriods(period())).toMatchObject([whole, again]);
    await store.grants.endQuietPeriod(whole);
    reopen();
    expect(paths()).toEqual([folder("/home/me/a").subject]);
  });

  it("are read without those of other agents, conversations and scopes", async () => {
    await store.grants.startQuietPeriod(period());
    await store.grants.startQuietPeriod({ ...period(), agent_id: "agent-2" });
    await store.grants.startQuietPeriod(period("conversation-2"));
    await store.grants.startQuietPeriod({ ...period(), scope: "filesystem:write" });
    expect(store.grants.quietPeriods(period())).toEqual([period()]);
    reopen();
    expect(store.grants.quietPeriods(period())).toEqual([period()]);
    await store.grants.endQuietPeriod(period());
    expect(store.grants.quietPeriods(period())).toEqual([]);
    expect(store.grants.quietPeriods(period("conversation-2"))).toHaveLength(1);
  });

  it("do not accumulate: those that are over are deleted when another one starts", async () => {
    await store.grants.startQuietPeriod(folder("/home/me/old"));
    const opened_at = NOW + LIMITS.quietUnusedMs;
    const next = { ...folder("/home/me/b"), opened_at, last_used_at: opened_at };
    await store.grants.startQuietPeriod(next);
    reopen();
    expect(paths()).toEqual([folder("/home/me/b").subject]);
  });
});

describe("settings", () => {
  it("come back, keep to their ranges, and do not undo each other", async () => {
    await Promise.all([
      store.settings.update({ language: "zh-CN" }),
      store.settings.update({ consent_timeout_ms: 60_000 }),
      store.settings.putValue("hub_token", "t"),
    ]);
    await expectRefused(store.settings.update({ consent_timeout_ms: 29_999 }));
    reopen();
    const changed = { language: "zh-CN", consent_timeout_ms: 60_000 };
    expect(store.settings.current()).toEqual({ ...Create(Settings), ...changed });
    expect(store.settings.value("hub_token")).toBe("t");
    await store.settings.putValue("hub_token", "another");
    expect(store.settings.value("hub_token")).toBe("another");
    await store.settings.removeValue("hub_token");
    expect(store.settings.value("hub_token")).toBeUndefined();
  });
});

it("passes over a setting that this version does not have", async () => {
  await store.settings.update({ notifications: false });
  store.close();
  scratch.sql("INSERT INTO settings VALUES ('colour', '\"red\"')");
  store = scratch.open().store;
  expect(store.settings.current()).toEqual({ ...Create(Settings), notifications: false });
});

describe("something stored that cannot be read", () => {
  it.each([
    ["agents", "UPDATE agents SET manifest = '{}'"],
    ["agents", `UPDATE agents SET manifest = replace(manifest, '"medium"', '"low"')`],
    ["grants", "UPDATE grants SET state = 'allowed'"],
    ["roots", "UPDATE roots SET access = 'all'"],
    ["silence_windows", "UPDATE silence_windows SET manifest_hash = ''"],
    ["silence_windows", `UPDATE silence_windows SET subject = '{"kind":"all"}'`],
    ["silence_windows", "UPDATE silence_windows SET subject = 'scope'"],
    ["allowed_hosts", "UPDATE allowed_hosts SET port = 0"],
    ["settings", "UPDATE settings SET value = '5' WHERE key = 'consent_timeout_ms'"],
  ])("has the file set aside, and nothing in it counts: %s", async (_table, sql) => {
    await store.agents.accept(agent());
    await store.grants.startQuietPeriod(period());
    await store.settings.update({ language: "en" });
    store.close();
    scratch.sql(sql);
    const opened = scratch.open();
    store = opened.store;
    expect(readFileSync(String(opened.setAside)).length).toBeGreaterThan(0);
    expect(store.agents.agent("agent-1")).toBeUndefined();
    expect(store.grants.quietPeriodsOf("agent-1")).toEqual([]);
    expect(store.settings.current().language).toBeNull();
  });
});

describe("the disk is full", () => {
  it("stores nothing more, reports it, and continues with a whole chain once there is room", async () => {
    await store.ledger.recordIntent(intent(call("call-0")));
    store.close();
    const pages = new Database(scratch.file);
    pages.exec("VACUUM");
    const count = Number(pages.pragma("page_count", { simple: true }));
    pages.close();
    store = scratch.open({ maxPages: count + 2 }).store;
    const results = await Promise.allSettled(
      Array.from({ length: 200 }, (_, index) =>
        store.ledger.recordIntent(intent(call(`call-${index + 1}`))),
      ),
    );
    const failed = results.filter(({ status }) => status === "rejected");
    expect(failed.length).toBeGreaterThan(0);
    expect(failed[0]).toMatchObject({ reason: { code: "store_unwritable" } });
    for (const [index, { status }] of results.entries()) {
      const known = store.ledger.find("agent-1", `call-${index + 1}`) !== undefined;
      expect(known).toBe(status === "fulfilled");
    }
    reopen();
    await store.ledger.recordIntent(intent(call("later")));
    expect(await store.activity.verify()).toMatchObject({ ok: true });
  });
});
