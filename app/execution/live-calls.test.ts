import { describe, expect, it } from "vitest";
import { WITHDRAWALS, type Withdrawal } from "../consent/verdict.ts";
import { handleCall } from "./handle-call.ts";
import { type CallObserver, LiveCalls } from "./live-calls.ts";
import { ToolFailure, ToolUnavailable } from "./ports.ts";
import { callTo, House } from "./testing/house.ts";

const NAME = { agent_id: "agent-1", call_id: "c1" };

/** A call in the state, and what it is answered with. */
const IN_STATE = {
  checking: (house: House) => {
    house.ready = new Promise(() => {});
    return house.handle(callTo("send_notification", NAME));
  },
  waiting: (house: House) => house.handle(callTo("read_clipboard", NAME)),
  running: (house: House) => {
    house.runs = () => new Promise(() => {});
    return house.handle(callTo("send_notification", NAME));
  },
} as const;

/** What ends a call in which state, and how it is answered; null: put off. */
const ENDED: Record<Withdrawal, Partial<Record<keyof typeof IN_STATE, string | null>>> = {
  cancelled: { checking: "cancelled", waiting: "cancelled", running: "cancelled" },
  shutdown: { checking: null, waiting: null, running: "cancelled" },
  paused: { waiting: "user_refused", running: "cancelled" },
  scope_revoked: { waiting: "permission_revoked", running: "permission_revoked" },
  agent_gone: { waiting: "agent_disconnected" },
  manifest_changed: { waiting: "manifest_changed" },
};

describe.each(WITHDRAWALS)("%s", (why) => {
  it.each(["checking", "waiting", "running"] as const)("while a call is %s", async (state) => {
    const house = new House();
    const answer = IN_STATE[state](house).then((response) => ({ response }));
    await house.settle();
    expect(house.ports.live.find(NAME)?.state).toBe(state);
    house.ports.live.end(NAME, why);
    await house.settle();
    const expected = ENDED[why][state];
    if (expected === undefined) {
      expect(house.ports.live.find(NAME)?.state).toBe(state);
      return;
    }
    const { response } = await answer;
    expect(response && "reason" in response ? response.reason : response).toBe(expected);
    expect(house.ports.live.find(NAME)).toBeUndefined();
  });
});

describe("an end", () => {
  it("is for one agent's call alone: another's of the same id goes on", async () => {
    const house = new House();
    void house.handle(callTo("read_clipboard", NAME));
    await house.settle();
    house.ports.live.end({ ...NAME, agent_id: "other" }, "cancelled");
    house.ports.live.end({ ...NAME, scope: "clipboard:write" }, "cancelled");
    expect(house.desk.waiting()).toHaveLength(1);
  });

  it("by its agent resolves once the call has its answer, or at once when there is no such call", async () => {
    const house = new House();
    const answer = house.handle(callTo("read_clipboard", NAME));
    await house.settle();
    expect(await house.ports.live.giveUp({ ...NAME, call_id: "other" })).toBe(true);
    expect(await house.ports.live.giveUp(NAME)).toBe(true);
    expect(await answer).toMatchObject({ reason: "cancelled" });
  });

  it("by its agent must come again when the call is put off", async () => {
    const house = new House();
    const answer = house.handle(callTo("read_clipboard", NAME));
    await house.settle();
    const ended = house.ports.live.shutDown();
    expect(await house.ports.live.giveUp(NAME)).toBe(false);
    await ended;
    expect(await answer).toBeNull();
  });

  it("holds for a call that comes a second time while the first is being answered", async () => {
    const house = new House();
    const arrival = callTo("send_notification", NAME);
    house.ready = new Promise(() => {});
    const first = house.handle(arrival);
    void house.ports.live.giveUp(NAME);
    expect(await house.handle(arrival)).toEqual(await first);
    expect(house.ran).toEqual([]);
  });
});

describe("a call under way", () => {
  it("is listed with its progress while it runs", async () => {
    const house = new House();
    house.runs = (_args, { progress, signal }) => {
      progress({ done: 3, total: null, unit: "files" });
      return new Promise((_, reject) =>
        signal.addEventListener("abort", () => reject(new ToolFailure("cancelled"))),
      );
    };
    const response = house.handle(callTo("send_notification", NAME));
    await house.settle();
    expect(house.ports.live.running()).toMatchObject([
      { ...NAME, call: { tool_name: "send_notification" }, progress: { done: 3, unit: "files" } },
    ]);
    house.ports.live.end(NAME, "cancelled");
    await response;
    expect(house.ports.live.running()).toEqual([]);
  });

  it("that finds nothing to do it with is TOOL_UNAVAILABLE", async () => {
    const house = new House();
    house.runs = () => Promise.reject(new ToolUnavailable("no_provider"));
    const response = await house.handle(callTo("send_notification"));
    expect(response).toMatchObject({ error_code: "TOOL_UNAVAILABLE", reason: "no_provider" });
  });

  it("is observed: asked, settled, running, closed once its outcome is durable", async () => {
    const house = new House();
    const seen: string[] = [];
    const observer: CallObserver = {
      asked: ({ call_id }) => seen.push(`asked ${call_id}`),
      settled: (_, { kind }) => seen.push(`settled ${kind}`),
      running: () => seen.push(`running ${house.journal.at(-1) ?? ""}`),
      closed: (_, { status }, by) => seen.push(`closed ${status} ${by} ${house.records.length}`),
    };
    const ports = { ...house.ports, live: new LiveCalls([observer]) };
    void handleCall(ports, callTo("read_clipboard", NAME));
    await house.answer("allow_once");
    expect(seen).toEqual([
      "asked c1",
      "settled answered",
      "running ",
      "closed ok person 2",
      "running outcome c1 ok",
    ]);
  });
});
