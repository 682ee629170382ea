import { describe, expect, it } from "vitest";
import { WITHDRAWALS, type Withdrawal } from "../consent/verdict.ts";
import { handleCall } from "./handle-call.ts";
import { type CallObserver, LiveCalls } from "./live-calls.ts";
import { toolFailure, toolUnavailable } from "./ports.ts";
import { ChainHarness, callTo } from "./testing/chain-harness.ts";

const NAME = { agent_id: "agent-1", call_id: "c1" };

/** A call in the state, and its answer. */
const IN_STATE = {
  checking: (chain: ChainHarness) => {
    chain.ready = new Promise(() => {});
    return chain.handle(callTo("send_notification", NAME));
  },
  waiting: (chain: ChainHarness) => chain.handle(callTo("read_clipboard", NAME)),
  running: (chain: ChainHarness) => {
    chain.runs = () => new Promise(() => {});
    return chain.handle(callTo("send_notification", NAME));
  },
} as const;

/** The answer to a call that is withdrawn, by reason and state; null: put off. */
const ENDED: Record<Withdrawal, Partial<Record<keyof typeof IN_STATE, string | null>>> = {
  cancelled: { checking: "cancelled", waiting: "cancelled", running: "cancelled" },
  shutdown: { checking: null, waiting: null, running: "cancelled" },
  paused: { waiting: "user_refused", running: "cancelled" },
  scope_revoked: { waiting: "permission_revoked", running: "permission_revoked" },
  agent_gone: { waiting: "agent_disconnected" },
  manifest_changed: { waiting: "manifest_changed" },
  unanswered: { waiting: "user_timeout" },
  answered_there: { waiting: "cancelled" },
};

describe.each(WITHDRAWALS)("%s", (why) => {
  it.each(["checking", "waiting", "running"] as const)("while a call is %s", async (state) => {
    const chain = new ChainHarness();
    const answer = IN_STATE[state](chain).then((response) => ({ response }));
    await chain.settle();
    expect(chain.ports.live.find(NAME)?.state).toBe(state);
    chain.ports.live.end(NAME, why);
    await chain.settle();
    const expected = ENDED[why][state];
    if (expected === undefined) {
      expect(chain.ports.live.find(NAME)?.state).toBe(state);
      return;
    }
    const { response } = await answer;
    expect(response && "reason" in response ? response.reason : response).toBe(expected);
    const reasons = chain.outcomes().map(({ reason }) => reason);
    expect(reasons).toEqual(expected === null ? [] : [expected]);
    expect(chain.ran.every(({ context }) => context.signal.aborted)).toBe(true);
    expect(chain.ports.live.find(NAME)).toBeUndefined();
  });
});

describe("an end", () => {
  it("affects the call of that agent, id and scope only", async () => {
    const chain = new ChainHarness();
    await chain.start("read_clipboard", NAME);
    for (const other of [{ agent_id: "a" }, { call_id: "c" }, { scope: "clipboard:write" }]) {
      chain.ports.live.end({ ...NAME, ...other }, "cancelled");
    }
    expect(chain.cards).toHaveLength(1);
  });

  it("by its agent resolves once the call has its answer, or at once when there is no such call", async () => {
    const chain = new ChainHarness();
    const { response: answer } = await chain.start("read_clipboard", NAME);
    expect(await chain.ports.live.giveUp({ ...NAME, call_id: "other" })).toBe(true);
    expect(await chain.ports.live.giveUp(NAME)).toBe(true);
    expect(await answer).toMatchObject({ reason: "cancelled" });
  });

  it.each(["checking", "running"] as const)(
    "by its agent, because its time is over, is no lack of an answer while the call is %s",
    async (state) => {
      const chain = new ChainHarness();
      const answer = IN_STATE[state](chain);
      await chain.settle();
      expect(await chain.ports.live.giveUp(NAME, true)).toBe(true);
      expect(await answer).toMatchObject({ reason: "cancelled" });
    },
  );

  it("by its agent must be delivered again when the call is put off", async () => {
    const chain = new ChainHarness();
    const { response: answer } = await chain.start("read_clipboard", NAME);
    const ended = chain.ports.live.shutDown();
    expect(await chain.ports.live.giveUp(NAME)).toBe(false);
    await ended;
    expect(await answer).toBeNull();
  });

  it("also applies to a call that arrives twice while the first is being answered", async () => {
    const chain = new ChainHarness();
    const arrival = callTo("send_notification", NAME);
    chain.ready = new Promise(() => {});
    const first = chain.handle(arrival);
    void chain.ports.live.giveUp(NAME);
    expect(await chain.handle(arrival)).toEqual(await first);
    expect(chain.ran).toEqual([]);
  });
});

describe("a call under way", () => {
  it("is listed with its progress while it runs", async () => {
    const chain = new ChainHarness();
    chain.runs = (_args, { progress, signal }) => {
      progress({ done: 3, total: null, unit: "files" });
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(toolFailure("cancelled"))),
      );
    };
    const { response } = await chain.start("send_notification", NAME);
    expect(chain.ports.live.running()).toMatchObject([
      { ...NAME, call: { tool_name: "send_notification" }, progress: { done: 3, unit: "files" } },
    ]);
    chain.ports.live.end(NAME, "cancelled");
    await response;
    expect(chain.ports.live.running()).toEqual([]);
  });

  it("whose tool finds at run time that it cannot work here is TOOL_UNAVAILABLE", async () => {
    const chain = new ChainHarness();
    chain.runs = () => Promise.reject(toolUnavailable("no_provider"));
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ error_code: "TOOL_UNAVAILABLE", reason: "no_provider" });
  });

  it("is observed: asked, settled, running, closed once its outcome is durable", async () => {
    const chain = new ChainHarness();
    const seen: string[] = [];
    const observer: CallObserver = {
      asked: ({ call_id }) => seen.push(`asked ${call_id}`),
      settled: (_, { kind }) => seen.push(`settled ${kind}`),
      running: () => seen.push(`running ${chain.journal.at(-1) ?? ""}`),
      closed: (_, { status }, by) => seen.push(`closed ${status} ${by} ${chain.records.length}`),
    };
    const ports = { ...chain.ports, live: new LiveCalls([observer]) };
    void handleCall(ports, callTo("read_clipboard", NAME));
    await chain.answer("allow_once");
    expect(seen).toEqual([
      "asked c1",
      "settled answered",
      "running ",
      "closed ok person 2",
      "running outcome c1 ok",
    ]);
  });

  it("is listed as running only while it runs, and tells of each step of its progress", async () => {
    const chain = new ChainHarness();
    let steps = 0;
    const live = new LiveCalls([{ running: () => (steps += 1) }, {}]);
    const ports = { ...chain.ports, live };
    const tool = Promise.withResolvers<null>();
    let report: (done: number) => void = () => {};
    chain.runs = (_args, { progress }) => {
      report = (done) => progress({ done, total: null, unit: "files" });
      return tool.promise;
    };
    void handleCall(ports, callTo("read_clipboard", { call_id: "waits" }));
    const running = handleCall(ports, callTo("send_notification", NAME));
    await chain.settle();
    expect(live.running().map(({ call_id }) => call_id)).toEqual(["c1"]);
    expect(steps).toBe(1);
    report(1);
    expect(steps).toBe(2);
    tool.resolve(null);
    await running;
    expect(steps).toBe(3);
    report(2);
    expect(steps).toBe(3);
    live.end({ call_id: "waits" }, "cancelled");
    await chain.settle();
    expect(steps).toBe(3);
  });

  it("is over before the end of the program is", async () => {
    const chain = new ChainHarness();
    const stored = Promise.withResolvers<void>();
    const { recordOutcome } = chain.ports.ledger;
    const ledger = {
      ...chain.ports.ledger,
      recordOutcome: (...outcome: Parameters<typeof recordOutcome>) =>
        stored.promise.then(() => recordOutcome(...outcome)),
    };
    chain.runs = () => new Promise(() => {});
    void handleCall({ ...chain.ports, ledger }, callTo("send_notification", NAME));
    await chain.settle();
    let isDown = false;
    const down = chain.ports.live.shutDown().then(() => {
      isDown = true;
    });
    await chain.settle();
    expect(isDown).toBe(false);
    stored.resolve();
    await down;
    expect(chain.outcomes()).toMatchObject([{ reason: "cancelled" }]);
  });
});
