import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  agent,
  answer,
  call,
  intent,
  NOW,
  okResponse,
  outcome,
  ScratchStore,
} from "./testing/scratch-store.ts";

const scratch = ScratchStore.forEachTest();

const DENIED = { status: "denied", reason: "user_refused", error_code: null } as const;

describe("replay (contract §2.0)", () => {
  it("finds a call once its intent is durable, and refuses a second one", async () => {
    const { store } = scratch.open();
    const made = call("call-1");
    const stored = store.ledger.recordIntent(intent(made));
    await expect(store.ledger.recordIntent(intent(made))).rejects.toMatchObject({
      code: "store_refused",
    });
    await stored;
    expect(store.ledger.find("agent-1", "call-1")).toEqual({
      tool_name: "read_file",
      arguments_digest: made.arguments_digest,
    });
    expect(store.ledger.pastResponse("agent-1", made)).toBeUndefined();
    expect(store.ledger.find("agent-2", "call-1")).toBeUndefined();
  });

  it("answers a result and a refusal again after the store was reopened", async () => {
    const first = scratch.open().store;
    await answer(first, "call-1", "content");
    const refused = call("call-2");
    const response = { call_id: "call-2", status: "denied", reason: "user_refused" } as const;
    await first.ledger.recordOutcome(outcome(refused, NOW, DENIED), { call: refused, response });
    first.close();
    const { store } = scratch.open();
    expect(store.ledger.pastResponse("agent-1", call("call-1"))).toEqual(
      okResponse(call("call-1"), "content"),
    );
    expect(store.ledger.pastResponse("agent-1", refused)).toEqual(response);
    expect(store.ledger.pastResponse("agent-1", call("call-1", { path: "/b" }))).toBeUndefined();
  });

  it("keeps the first answer when another call reuses its id", async () => {
    const { store } = scratch.open();
    await answer(store, "call-1", "content");
    const other = call("call-1", { path: "/b" });
    await store.ledger.recordOutcome(outcome(other, NOW, DENIED), {
      call: other,
      response: { call_id: "call-1", status: "denied", reason: "user_refused" },
    });
    expect(store.ledger.find("agent-1", "call-1")?.arguments_digest).toBe(
      call("call-1").arguments_digest,
    );
    expect(store.ledger.pastResponse("agent-1", call("call-1"))).toMatchObject({ status: "ok" });
    expect(store.ledger.pastResponse("agent-1", other)).toBeUndefined();
  });

  it("keeps no result for a call that nobody can send again, and remembers the call", async () => {
    const { store } = scratch.open();
    const made = call("call-1");
    await store.ledger.recordIntent(intent(made));
    await store.ledger.recordOutcome(outcome(made), {
      call: made,
      response: okResponse(made, "content"),
      isOnlyDelivery: true,
    });
    expect(store.ledger.pastResponse("agent-1", made)).toBeUndefined();
    await expect(store.ledger.recordIntent(intent(made))).rejects.toMatchObject({
      code: "store_refused",
    });
  });

  it("drops the oldest results beyond the agent's budget, and remembers the calls", async () => {
    const { store } = scratch.open({ sealedBytesPerAgent: 3_000 });
    for (const id of ["call-1", "call-2", "call-3"]) await answer(store, id, "x".repeat(1_200));
    expect(store.ledger.pastResponse("agent-1", call("call-1"))).toBeUndefined();
    expect(store.ledger.find("agent-1", "call-1")).toBeDefined();
    expect(store.ledger.pastResponse("agent-1", call("call-2"))).toBeDefined();
    expect(store.ledger.pastResponse("agent-1", call("call-3"))).toBeDefined();
  });

  it("never writes arguments or results in the clear", async () => {
    const { store } = scratch.open();
    const made = call("call-1", { path: "/very-secret-path" });
    await store.ledger.recordIntent(intent(made));
    await store.ledger.recordOutcome(outcome(made), {
      call: made,
      response: okResponse(made, "very-secret-content"),
    });
    const wal = readFileSync(`${scratch.file}-wal`, "latin1");
    expect(wal).toContain("call-1");
    expect(wal).not.toContain("very-secret");
  });
});

describe("the lines under one call id", () => {
  it("keep their place when the call ends, and are separate when the id is used again", async () => {
    const { store } = scratch.open();
    const lines = () => store.activity.lines("call-1", "agent-1");
    const made = call("call-1");
    await store.ledger.recordIntent(intent(made));
    const running = await lines();
    await store.ledger.recordOutcome(outcome(made), {
      call: made,
      response: okResponse(made, "x"),
    });
    expect((await lines()).map(({ line_id, status }) => [line_id, status])).toEqual([
      [running[0]?.line_id, "ok"],
    ]);
    await store.ledger.recordOutcome(outcome(made));
    const both = await lines();
    expect(new Set(both.map(({ line_id }) => line_id)).size).toBe(2);
    expect(both.at(-1)?.line_id).toBe(running[0]?.line_id);
  });
});

describe("a call that was interrupted", () => {
  it("is answered interrupted, once, after the next opening, and keeps which rule decided it", async () => {
    const first = scratch.open();
    const ruled = { decided_by: "rule", rule_id: "rule-1", given_at: 5, given_on: "c" } as const;
    await first.store.ledger.recordIntent({ ...intent(call("call-1")), ...ruled });
    const [running] = await first.store.activity.lines("call-1", "agent-1");
    expect(running).toMatchObject({ status: "running", ...ruled });
    first.store.close();
    scratch.pass(5_000);
    const second = scratch.open();
    expect(second.interrupted).toBe(1);
    expect(second.store.ledger.pastResponse("agent-1", call("call-1"))).toEqual({
      call_id: "call-1",
      status: "error",
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "interrupted",
    });
    expect((await second.store.activity.lines("call-1", "agent-1"))[0]).toMatchObject({
      status: "interrupted",
      duration_ms: 5_000,
      ...ruled,
    });
    second.store.close();
    expect(scratch.open().interrupted).toBe(0);
  });
});

describe("activity", () => {
  it("shows one row per call, newest first, page by page", async () => {
    const { store } = scratch.open();
    await store.agents.accept(agent());
    for (const id of ["a-1", "a-2", "b-1"]) await answer(store, id, "content");
    await store.ledger.recordIntent(intent(call("b-2")));
    const refused = call("b-3");
    await store.ledger.recordOutcome(outcome(refused, NOW, DENIED));
    const first = await store.activity.page({ limit: 3 });
    expect(first.rows.map(({ call_id, status }) => [call_id, status])).toEqual([
      ["b-3", "denied"],
      ["b-2", "running"],
      ["b-1", "ok"],
    ]);
    expect(first.rows[0]).toMatchObject({ agent_name: "Sample", reason: "user_refused" });
    const second = await store.activity.page({ limit: 3, before_seq: first.next_before_seq });
    expect(second.rows.map(({ call_id }) => call_id)).toEqual(["a-2", "a-1"]);
    expect(second.next_before_seq).toBeNull();
    const ids = async (filter: object) =>
      (await store.activity.page({ limit: 9, ...filter })).rows.map(({ call_id }) => call_id);
    expect(await ids({ status: "running" })).toEqual(["b-2"]);
    expect(await ids({ status: "denied" })).toEqual(["b-3"]);
    expect(await ids({ call_id: "a-" })).toEqual(["a-2", "a-1"]);
    expect(await ids({ call_id: "%" })).toEqual([]);
    expect(await ids({ agent_id: "agent-2" })).toEqual([]);
  });
});

describe("a process that is killed", () => {
  const program = join(import.meta.dirname, "testing", "append-until-killed.ts");

  async function runAndKill(prefix: string, afterLines: number): Promise<readonly string[]> {
    const child = spawn(process.execPath, [program, scratch.dataDir, prefix], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (printed.split("\n").length > afterLines) child.kill("SIGKILL");
    });
    await once(child, "close");
    return printed.split("\n").slice(0, -1);
  }

  it("loses no acknowledged record, and leaves a whole chain", { timeout: 120_000 }, async () => {
    for (let cycle = 0; cycle < 15; cycle += 1) {
      const lines = await runAndKill(`run-${cycle}`, 1 + Math.floor(Math.random() * 300));
      expect(lines.length).toBeGreaterThan(0);
      scratch.wall = Date.now();
      const { store, setAside } = scratch.open();
      expect(setAside).toBeNull();
      expect(await store.activity.verify()).toMatchObject({ ok: true });
      for (const [kind, id = ""] of lines.map((line) => line.split(" "))) {
        expect(store.ledger.find("agent-1", id), id).toBeDefined();
        if (kind !== "outcome") continue;
        expect(store.ledger.pastResponse("agent-1", call(id)), id).toMatchObject({ status: "ok" });
      }
      store.close();
    }
  });
});
