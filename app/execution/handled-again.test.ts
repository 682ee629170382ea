import { describe, expect, it } from "vitest";
import { handleCall } from "./handle-call.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const REUSED = { call_id: "reused", args: { text: "copied" } };

describe("the same call again", () => {
  it("gets the same response, nothing executed twice and no second prompt", async () => {
    const chain = new ChainHarness();
    const arrival = callTo("read_clipboard", { call_id: "again" });
    const first = chain.handle(arrival);
    const during = chain.handle(arrival);
    await chain.settle();
    expect(chain.cards).toHaveLength(1);
    await chain.answer("allow_once");
    const answer = await first;
    expect(await during).toEqual(answer);
    expect(await chain.handle(arrival)).toEqual(answer);
    expect(chain.ran).toHaveLength(1);
    expect(chain.outcomes()).toHaveLength(1);
  });

  it("a refusal is repeated too, although the scope has been granted since", async () => {
    const agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    const chain = new ChainHarness({ agent });
    const arrival = callTo("read_clipboard");
    const answer = await chain.handle(arrival);
    chain.agent = agentWith({});
    expect(await chain.handle(arrival)).toEqual(answer);
  });

  it.each([
    ["other arguments", callTo("write_clipboard", { call_id: "reused", args: { text: "other" } })],
    ["another tool", callTo("read_clipboard", { call_id: "reused" })],
    ["another tool of the same arguments", callTo("read_clipboard", REUSED)],
  ])("its id with %s is call_id_reused, and does not shadow the first", async (_name, other) => {
    const chain = new ChainHarness();
    const first = callTo("write_clipboard", { call_id: "reused" });
    const pending = chain.handle(first);
    await chain.settle();
    expect(await chain.handle(other)).toMatchObject({ reason: "call_id_reused" });
    await chain.answer("allow_once");
    const answer = await pending;
    expect(await chain.handle(other)).toMatchObject({ reason: "call_id_reused" });
    expect(await chain.handle(first)).toEqual(answer);
    expect(chain.ran).toHaveLength(1);
  });

  it("a result that is no longer stored is reported as such, and the call does not run again", async () => {
    const chain = new ChainHarness();
    const arrival = callTo("send_notification", { call_id: "old" });
    const { decoded } = arrival;
    if (decoded.kind === "call") chain.open.set("agent-1/old", decoded.call);
    expect(await chain.handle(arrival)).toMatchObject({ reason: "result_expired" });
    expect(chain.ran).toEqual([]);
  });

  it.each(["find", "pastResponse"] as const)(
    "is refused while the log cannot be read (%s), and then gets its response",
    async (read) => {
      const chain = new ChainHarness();
      const arrival = callTo("send_notification");
      const answer = await chain.handle(arrival);
      const fails = () => {
        throw new Error("disk I/O error");
      };
      const ledger = { ...chain.ports.ledger, [read]: fails };
      const refused = await handleCall({ ...chain.ports, ledger }, arrival);
      expect(refused).toMatchObject({ status: "error", reason: "audit_unavailable" });
      expect(chain.outcomes().map(({ status }) => status)).toEqual(["ok", "error"]);
      expect(await chain.handle(arrival)).toEqual(answer);
      expect(chain.ran).toHaveLength(1);
    },
  );
});

describe("revocation", () => {
  it("between the answer and the run is noticed", async () => {
    const chain = new ChainHarness();
    const { response } = await chain.start("read_clipboard");
    chain.agent = agentWith({ grants: { "clipboard:read": "revoked" } });
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ status: "denied", reason: "permission_revoked" });
    expect(chain.ran).toEqual([]);
  });

  it("a call that would start during shutdown is put off and delivered again", async () => {
    const chain = new ChainHarness();
    await chain.ports.live.shutDown();
    expect(await chain.handle(callTo("send_notification"))).toBeNull();
    expect([chain.ran, chain.records]).toEqual([[], []]);
  });

  it("a call during shutdown does not wait for its agent to become ready", async () => {
    const chain = new ChainHarness();
    await chain.ports.live.shutDown();
    const agents = { ...chain.ports.agents, ready: () => new Promise<void>(() => {}) };
    expect(await handleCall({ ...chain.ports, agents }, callTo("send_notification"))).toBeNull();
  });

  it("a manifest that changed while the person was reading is not what they approved", async () => {
    const chain = new ChainHarness();
    const { response } = await chain.start("read_clipboard");
    chain.agent = agentWith({ timeout_ms: 9_000 });
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ reason: "manifest_changed" });
    expect(chain.ran).toEqual([]);
  });
});
