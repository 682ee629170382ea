import { getEventListeners } from "node:events";
import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { handleCall } from "./handle-call.ts";
import { LiveCalls } from "./live-calls.ts";
import { toolFailure } from "./ports.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

describe("a run", () => {
  it.each([
    [undefined, undefined, 10_000],
    [5_000, undefined, 5_000],
    [60_000, undefined, 10_000],
    [60_000, 20_000, 20_000],
    [undefined, 20_000, 20_000],
    [999_999, 999_999, 300_000],
  ])("call %s and manifest %s give a limit of %s ms", async (call, manifest, limit) => {
    const agent = agentWith(manifest === undefined ? {} : { timeout_ms: manifest });
    const chain = new ChainHarness({ agent });
    chain.runs = (_args, { signal }) =>
      new Promise((_resolve, reject) =>
        signal.addEventListener("abort", () => reject(new Error("stopped")), { once: true }),
      );
    const shape = call === undefined ? {} : { timeout_ms: call };
    const { response } = await chain.start("send_notification", shape);
    chain.time.pass(limit - 1);
    await chain.settle();
    expect(chain.outcomes()).toEqual([]);
    chain.time.pass(1);
    expect(await response).toMatchObject({
      error_code: "TOOL_PLATFORM_ERROR",
      reason: "tool_timeout",
    });
    expect(chain.ran[0]?.context.signal.aborted).toBe(true);
  });

  it("a tool's failure is its stable code, anything else is internal_error without its text", async () => {
    const chain = new ChainHarness({ runs: () => Promise.reject(toolFailure("not_found")) });
    expect(await chain.handle(callTo("send_notification"))).toMatchObject({ reason: "not_found" });
    chain.runs = () => Promise.reject(new Error("password is hunter2"));
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ reason: "internal_error" });
    expect(JSON.stringify([response, chain.records])).not.toContain("hunter2");
  });

  const returning = (text: string) =>
    new ChainHarness({ runs: async () => text }).handle(callTo("send_notification"));

  it.each(["x", "é", "漢"])(
    "may give 1 MiB of UTF-8, and not a character more (%s)",
    async (unit) => {
      const bytes = new TextEncoder().encode(unit).byteLength;
      const fits = unit.repeat(Math.floor((LIMITS.resultBytes - 2) / bytes));
      expect(await returning(fits)).toMatchObject({ status: "ok" });
      expect(await returning(fits + unit)).toMatchObject({ reason: "too_large" });
    },
  );

  it("is measured in bytes where it has as many characters as there may be bytes", async () => {
    const text = `é${"x".repeat(LIMITS.resultBytes - 3)}`;
    expect(await returning(text)).toMatchObject({ reason: "too_large" });
  });

  it("knows whose call it is, and in which conversation", async () => {
    const chain = new ChainHarness();
    await chain.handle(callTo("send_notification", { conversation_id: "here" }));
    const from = { agent_id: "agent-1", agent_name: "Notes", conversation_id: "here" };
    expect(chain.ran[0]?.context).toMatchObject(from);
  });

  it("leaves no timer and no listener behind", async () => {
    const chain = new ChainHarness();
    const counts: number[] = [];
    const ports = { ...chain.ports, live: new LiveCalls([{ running: () => count() }]) };
    const seen = new Set<AbortSignal>();
    const count = () => {
      for (const { signal } of ports.live.running()) seen.add(signal);
      counts.push(...[...seen].map((signal) => getEventListeners(signal, "abort").length));
    };
    chain.runs = async (_args, { progress }) => {
      progress({ done: 1, total: null, unit: "files" });
      return null;
    };
    await handleCall(ports, callTo("send_notification"));
    const [before, during, after] = counts;
    expect([during, after]).toEqual([Number(before) + 1, before]);
    expect(chain.time.pending).toBe(0);
  });

  it("never begins when the call is given up while its intent is being recorded", async () => {
    const chain = new ChainHarness();
    const { ledger, live } = chain.ports;
    const recordIntent: typeof ledger.recordIntent = async (intent) => {
      await ledger.recordIntent(intent);
      live.end({}, "cancelled");
    };
    const ports = { ...chain.ports, ledger: { ...ledger, recordIntent } };
    const response = await handleCall(ports, callTo("send_notification"));
    expect(response).toMatchObject({ error_code: "TOOL_PLATFORM_ERROR", reason: "cancelled" });
    expect(chain.ran).toEqual([]);
  });
});
