import { describe, expect, it, vi } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ManualTime } from "../contract/testing/manual-time.ts";
import { agentWith, ChainHarness, callTo } from "../execution/testing/chain-harness.ts";
import { ConsentQueue } from "./consent-queue.ts";

async function asked(count: number, agent = "agent-1"): Promise<ChainHarness> {
  const chain = new ChainHarness({ agent: { ...agentWith({}), agent_id: agent } });
  for (let each = 0; each < count; each += 1) {
    void chain.handle(callTo("read_clipboard", { agent_id: agent }));
  }
  await chain.settle();
  return chain;
}

const HIGH = { agent: agentWith({ sensitivity: { "clipboard:read": "high" } }) };
const firstId = (chain: ChainHarness): string => chain.cards[0]?.request_id ?? "";

describe("the queue", () => {
  it("holds at most 3 waiting requests of one agent; the next is consent_queue_full", async () => {
    const chain = await asked(3);
    const fourth = await chain.handle(callTo("read_clipboard"));
    expect(fourth).toMatchObject({ error_code: "TOOL_UNAVAILABLE", reason: "consent_queue_full" });
    expect(chain.cards).toHaveLength(LIMITS.waitingPerAgent);
  });

  it("holds at most 20 in all", async () => {
    const chain = new ChainHarness();
    const template = { ...(await asked(1)).cards[0] };
    const verdicts = Array.from({ length: 21 }, (_, each) =>
      chain.queue
        .reserve(`agent-${each}`)
        ?.ask({ ...template, agent_id: `agent-${each}` } as never, new AbortController().signal),
    );
    expect(chain.cards).toHaveLength(LIMITS.waitingInAll);
    expect(verdicts[20]).toBeUndefined();
  });

  it("holds 50 of agents on this computer, which take no place from those of the hub", async () => {
    const chain = new ChainHarness();
    const template = { ...(await asked(1)).cards[0] };
    const ask = (isLocal: boolean) =>
      chain.queue
        .reserve("agent-1", isLocal)
        ?.ask(template as never, new AbortController().signal) !== undefined;
    expect(Array.from({ length: 51 }, () => ask(true)).filter(Boolean)).toHaveLength(50);
    expect(Array.from({ length: 4 }, () => ask(false))).toEqual([true, true, true, false]);
  });

  it("does not count an approval of a card that was never visible", async () => {
    const chain = await asked(1);
    chain.time.pass(60_000);
    expect(chain.queue.answer(firstId(chain), "allow_once", null)).toBe("too_early");
    expect(chain.ran).toEqual([]);
  });

  it("does not count an approval within 500 ms of the card's appearing; a denial counts at once", async () => {
    const chain = await asked(2);
    chain.queue.opened(firstId(chain));
    chain.time.pass(LIMITS.approvalInertMs - 1);
    expect(chain.queue.answer(firstId(chain), "allow_once", null)).toBe("too_early");
    expect(chain.queue.answer(firstId(chain), "deny", null)).toBeNull();
    expect(chain.cards).toHaveLength(1);
  });

  it("accepts only the answers that the level offers, to requests that wait", async () => {
    const chain = await asked(1);
    chain.queue.opened(firstId(chain));
    chain.time.pass(1_000);
    expect(chain.queue.answer(firstId(chain), "always_deny", null)).toBe("not_offered");
    expect(chain.queue.answer("nobody", "deny", null)).toBe("not_found");
    expect(chain.queue.faultOf("nobody", "deny", false)).toBe("not_found");
    expect(chain.queue.opened("nobody")).toBe("not_found");
  });

  it("starts the countdown once: reporting the card again does not lengthen it", async () => {
    const chain = new ChainHarness(HIGH);
    await chain.start("read_clipboard");
    chain.queue.opened(firstId(chain));
    chain.time.pass(20_000);
    chain.queue.opened(firstId(chain));
    expect(chain.queue.waiting()[0]?.remaining_ms).toBe(10_000);
  });

  it("an answer after the limit is too late even when the timer has not fired yet", async () => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    chain.queue.opened(firstId(chain));
    chain.queue.read(firstId(chain));
    chain.time.setBy(LIMITS.consentTimeoutMs);
    expect(chain.queue.answer(firstId(chain), "allow_once", null)).toBe("not_found");
    expect(await response).toMatchObject({ reason: "user_timeout" });
  });

  it("stands still while the person reads, and runs out as always after that", async () => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    expect(chain.queue.reading(firstId(chain))).toBe("too_early");
    chain.queue.opened(firstId(chain));
    chain.time.pass(LIMITS.consentTimeoutMs - 1);
    expect(chain.queue.reading(firstId(chain))).toBeNull();
    expect(chain.queue.waiting()[0]).toMatchObject({
      remaining_ms: 1,
      held_ms: LIMITS.readingHoldMs,
    });
    chain.time.pass(LIMITS.readingHoldMs);
    expect(chain.cards).toHaveLength(1);
    chain.time.pass(1);
    expect(await response).toMatchObject({ reason: "user_timeout" });
    expect(chain.queue.reading("request-1")).toBe("not_found");
  });

  it("a page that always says that somebody reads gains five minutes in all, and no approval", async () => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    const start = chain.time.now();
    chain.queue.opened(firstId(chain));
    while (chain.cards.length > 0) {
      chain.queue.reading(firstId(chain));
      chain.time.pass(500);
    }
    expect(await response).toMatchObject({ reason: "user_timeout" });
    expect(chain.time.now() - start).toBe(LIMITS.consentTimeoutMs + LIMITS.readingHoldsMs);
  });

  it("a high one is approved only after its end was in sight; denying needs nothing", async () => {
    const chain = new ChainHarness(HIGH);
    await chain.start("read_clipboard");
    expect(chain.queue.read(firstId(chain))).toBe("too_early");
    chain.queue.opened(firstId(chain));
    chain.time.pass(LIMITS.approvalInertMs);
    expect(chain.queue.answer(firstId(chain), "allow_once", null)).toBe("not_read");
    expect(chain.queue.faultOf(firstId(chain), "deny", false)).toBeNull();
    expect(chain.queue.read(firstId(chain))).toBeNull();
    expect(chain.queue.answer(firstId(chain), "allow_once", null)).toBeNull();
    expect(chain.queue.read("request-1")).toBe("not_found");
  });

  it("what would run without a sandbox is approved only while its button is held", async () => {
    const preview = {
      kind: "command",
      program: "/usr/bin/git",
      sandbox: null,
      network: false,
    } as const;
    const chain = new ChainHarness({
      ...HIGH,
      previews: async () => ({ shown: preview, seen: null }),
    });
    await chain.start("read_clipboard");
    const id = firstId(chain);
    const approve = () => chain.queue.faultOf(id, "allow_once", false);
    expect(chain.queue.holding(id, true)).toBe("too_early");
    chain.queue.opened(id);
    chain.queue.read(id);
    chain.time.pass(LIMITS.approvalInertMs + LIMITS.holdToAllowMs);
    expect(approve()).toBe("not_held");
    expect(chain.queue.holding(id, true)).toBeNull();
    expect(approve()).toBe("not_held");
    chain.time.pass(LIMITS.holdToAllowMs - LIMITS.holdSlackMs - 1);
    expect(approve()).toBe("not_held");
    chain.queue.holding(id, false);
    chain.time.pass(LIMITS.holdToAllowMs);
    expect(approve()).toBe("not_held");
    expect(chain.queue.faultOf(id, "deny", false)).toBeNull();
    chain.queue.holding(id, true);
    chain.time.pass(LIMITS.holdToAllowMs);
    expect(approve()).toBeNull();
    chain.queue.answer(id, "deny", null, null, true);
    chain.queue.undo(id);
    chain.queue.opened(id);
    chain.time.pass(LIMITS.approvalInertMs);
    expect(approve()).toBe("not_held");
  });

  it("sends back only requests that the answer to another one covers", async () => {
    const chain = await asked(2);
    const [first, second] = chain.cards.map((card) => card.request_id);
    chain.queue.reconsider(({ request_id }) => request_id === first);
    expect(chain.cards.map((card) => card.request_id)).toEqual([second]);
  });

  it("reports every change (asked, seen, over) and leaves no timer behind", async () => {
    const time = new ManualTime();
    const changed = vi.fn();
    const queue = new ConsentQueue({
      now: () => time.now(),
      wall: () => time.now(),
      after: (ms, run) => time.after(ms, run),
      newId: () => "request-1",
      onChange: changed,
      onHeld: () => {},
    });
    const chain = new ChainHarness(HIGH);
    await chain.start("read_clipboard");
    const question = chain.cards[0];
    if (question === undefined) throw new Error("nobody is asked");
    const verdict = queue.reserve("agent-1")?.ask(question, new AbortController().signal);
    expect(changed).toHaveBeenCalledTimes(1);
    queue.opened("request-1");
    queue.opened("request-1");
    expect([changed.mock.calls.length, time.pending]).toEqual([2, 1]);
    queue.answer("request-1", "deny", null);
    expect([changed.mock.calls.length, time.pending]).toEqual([3, 0]);
    expect(await verdict).toMatchObject({ kind: "answered", answer: "deny" });
  });

  it("medium has no countdown", async () => {
    const chain = await asked(1);
    chain.queue.opened(firstId(chain));
    chain.time.pass(24 * 3_600_000);
    expect(chain.cards).toHaveLength(1);
  });
});
