import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { agentWith, ChainHarness, callTo } from "../execution/testing/chain-harness.ts";

const HIGH = { agent: agentWith({ sensitivity: { "clipboard:read": "high" } }) };
const REFUSED = { status: "denied", reason: "user_refused" };

/** A request that was seen, and denied by a page that offers to take that back. */
async function denied(given: Partial<ChainHarness> = {}) {
  const chain = new ChainHarness(given);
  const { response } = await chain.start("read_clipboard");
  const id = chain.cards[0]?.request_id ?? "";
  let answered = false;
  void response.then(() => {
    answered = true;
  });
  chain.queue.opened(id);
  chain.time.pass(1_000);
  expect(chain.queue.answer(id, "deny", null, null, true)).toBeNull();
  await chain.settle();
  const hasAnswer = async () => {
    await chain.settle();
    return answered;
  };
  return { chain, response, id, hasAnswer };
}

describe("a denial that can be taken back", () => {
  it("leaves after 5 s, and until then the request waits for nobody's answer", async () => {
    const { chain, id, hasAnswer, response } = await denied();
    expect(chain.cards).toEqual([]);
    expect(chain.queue.answer(id, "allow_once", null)).toBe("not_found");
    expect(chain.queue.opened(id)).toBe("not_found");
    chain.time.pass(LIMITS.denialHeldMs - 1);
    expect(await hasAnswer()).toBe(false);
    expect(chain.queue.held()).toMatchObject([{ leaves_in_ms: 1 }]);
    chain.time.pass(1);
    expect(await response).toMatchObject(REFUSED);
    expect(chain.queue.held()).toEqual([]);
    expect(chain.queue.undo(id)).toBe("not_found");
  });

  it("leaves at once where nothing offers that", async () => {
    const chain = new ChainHarness();
    expect(await chain.answered("deny", "read_clipboard")).toMatchObject(REFUSED);
    expect(chain.queue.held()).toEqual([]);
  });

  it("taken back, puts the request back, and allows nothing before it was seen again", async () => {
    const { chain, id, hasAnswer } = await denied();
    chain.time.pass(4_000);
    expect(chain.queue.undo(id)).toBeNull();
    chain.time.pass(60_000);
    expect(await hasAnswer()).toBe(false);
    expect(chain.queue.held()).toEqual([]);
    expect(chain.queue.answer(id, "allow_once", null)).toBe("too_early");
    chain.queue.opened(id);
    chain.time.pass(LIMITS.approvalInertMs - 1);
    expect(chain.queue.answer(id, "allow_once", null)).toBe("too_early");
    chain.time.pass(1);
    expect(chain.queue.answer(id, "allow_once", null)).toBeNull();
    await chain.settle();
    expect(chain.ran).toHaveLength(1);
  });

  it("keeps the request's clock, which goes on", async () => {
    const { chain, id } = await denied(HIGH);
    chain.time.pass(3_000);
    chain.queue.undo(id);
    chain.queue.opened(id);
    expect(chain.queue.waiting()[0]?.remaining_ms).toBe(26_000);
  });

  it.each([
    ["the request's time ends", (chain: ChainHarness) => chain.time.pass(2_000)],
    ["the program quits", (chain: ChainHarness) => void chain.ports.live.shutDown()],
    ["all agents are paused", (chain: ChainHarness) => chain.ports.live.end({}, "paused")],
    ["the call is cancelled", (chain: ChainHarness) => chain.ports.live.end({}, "cancelled")],
    ["the scope is revoked", (chain: ChainHarness) => chain.ports.live.end({}, "scope_revoked")],
    ["the agent is gone", (chain: ChainHarness) => chain.ports.live.end({}, "agent_gone")],
  ])("stands when %s", async (_, ends) => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    const id = chain.cards[0]?.request_id ?? "";
    chain.queue.opened(id);
    chain.time.pass(28_000);
    chain.queue.answer(id, "deny", null, null, true);
    ends(chain);
    expect(await response).toMatchObject(REFUSED);
    expect(chain.queue.undo(id)).toBe("not_found");
    expect(chain.time.pending).toBe(0);
    expect(chain.outcomes()).toMatchObject([{ decided_by: "person" }]);
  });

  it("stands whatever another answer would decide of the request", async () => {
    const { chain, response } = await denied();
    chain.queue.reconsider(() => true);
    chain.time.pass(LIMITS.denialHeldMs);
    expect(await response).toMatchObject(REFUSED);
  });

  it("taken back, leaves the request to what counts by then", async () => {
    const { chain, id, response } = await denied();
    chain.settings = { ...chain.settings, profile: "hands_off" };
    chain.queue.reconsider(() => true);
    expect(chain.queue.undo(id)).toBeNull();
    expect(await response).toMatchObject(REFUSED);
    expect(chain.outcomes()).toMatchObject([{ decided_by: "hands_off" }]);
  });

  it("is none that makes a rule: it leaves at once, and the rule counts at once", async () => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    const id = chain.cards[0]?.request_id ?? "";
    chain.queue.answer(id, "always_deny", null, null, true);
    expect(await response).toMatchObject(REFUSED);
    expect(chain.queue.held()).toEqual([]);
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject(REFUSED);
    expect(chain.outcomes()).toMatchObject([{ decided_by: "person" }, { decided_by: "rule" }]);
  });

  it("carries the person's words, and keeps the request's place in the queue", async () => {
    const chain = new ChainHarness();
    const all = await Promise.all(
      Array.from({ length: LIMITS.waitingPerAgent }, () => chain.start("read_clipboard")),
    );
    for (const { request_id } of chain.cards) {
      chain.queue.answer(request_id, "deny", null, null, true, { message: "Not now." });
    }
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({
      reason: "consent_queue_full",
    });
    chain.time.pass(LIMITS.denialHeldMs);
    for (const { response } of all) expect(await response).toMatchObject({ message: "Not now." });
  });

  it("of an approval there is none: it counts at once", async () => {
    const chain = new ChainHarness();
    await chain.start("read_clipboard");
    const id = chain.cards[0]?.request_id ?? "";
    chain.queue.opened(id);
    chain.time.pass(LIMITS.approvalInertMs);
    chain.queue.answer(id, "allow_once", null, null, true);
    await chain.settle();
    expect(chain.ran).toHaveLength(1);
  });
});
