import { describe, expect, it } from "vitest";
import type { JsonObject } from "../contract/json.ts";
import { LIMITS } from "../contract/limits.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const HOUR = 3_600_000;
const HIGH = { agent: agentWith({ sensitivity: { "clipboard:read": "high" } }) };
const ONLINE = {
  agent: agentWith({
    toolScopes: { fetch_url: "network:http" },
    sensitivity: { "network:http": "medium" },
  }),
};

describe("sensitivity", () => {
  it("low runs without asking", async () => {
    const chain = new ChainHarness();
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "ok", result: { done: true } });
    expect(chain.outcomes()[0]).toMatchObject({ status: "ok", decided_by: "silent_low" });
    expect(chain.records).toMatchObject([{ given_at: 0 }, { given_at: 0 }]);
  });

  it("a manifest can raise a level and cannot lower it", async () => {
    const sensitivity = { "notification:send": "high", "clipboard:read": "low" } as const;
    const chain = new ChainHarness({ agent: agentWith({ sensitivity }) });
    void chain.handle(callTo("send_notification"));
    await chain.start("read_clipboard");
    expect(chain.cards.map((card) => card.sensitivity)).toEqual(["high", "medium"]);
  });

  it("medium asks once, then is silent in that conversation and scope only", async () => {
    const chain = new ChainHarness();
    const first = await chain.answered("allow_in_conversation", "read_clipboard");
    expect(first).toMatchObject({ status: "ok" });
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    expect(chain.outcomes().map((record) => record.decided_by)).toEqual(["person", "window"]);
    const [asked, silent] = chain.outcomes();
    const [period] = chain.quietPeriods.values();
    expect(silent).toMatchObject({ given_at: period?.opened_at, given_on: asked?.call_id });
    expect(asked).not.toHaveProperty("given_at");
    expect(silent).not.toHaveProperty("rule_id");

    void chain.handle(callTo("read_clipboard", { conversation_id: "conversation-2" }));
    await chain.start("write_clipboard");
    expect(chain.cards).toHaveLength(2);
  });

  it("allow once starts no quiet period", async () => {
    const chain = new ChainHarness();
    const first = await chain.answered("allow_once", "read_clipboard");
    expect(first).toMatchObject({ status: "ok" });
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
  });

  it("a quiet period lasts 24 h after each use, and 7 days at most", async () => {
    const chain = new ChainHarness();
    await chain.answered("allow_in_conversation", "read_clipboard");
    for (let hour = 23; hour < 7 * 24; hour += 23) {
      chain.time.pass(23 * HOUR);
      expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    }
    chain.time.pass(8 * HOUR);
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);

    const idle = new ChainHarness();
    await idle.answered("allow_in_conversation", "read_clipboard");
    idle.time.pass(24 * HOUR);
    await idle.start("read_clipboard");
    expect(idle.cards).toHaveLength(1);
  });

  it("a changed manifest ends the quiet period", async () => {
    const chain = new ChainHarness();
    await chain.answered("allow_in_conversation", "read_clipboard");
    chain.agent = agentWith({ timeout_ms: 9_000 });
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
  });

  it("a quiet period that one answer starts decides the others that wait for the same permission", async () => {
    const chain = new ChainHarness();
    const first = chain.handle(callTo("read_clipboard"));
    const second = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    expect(await first).toMatchObject({ status: "ok" });
    expect(await second).toMatchObject({ status: "ok" });
    expect(new Set(chain.outcomes().map((record) => record.decided_by))).toEqual(
      new Set(["person", "window"]),
    );
  });

  it("a quiet period decides the waiting requests that it covers, and no others", async () => {
    const chain = new ChainHarness(ONLINE);
    const fetch = (args: JsonObject) =>
      chain.handle(callTo("fetch_url", { args, scope: "network:http" }));
    const first = fetch({ url: "https://a.test/1" });
    await chain.settle();
    const second = fetch({ url: "https://a.test/2" });
    void fetch({ url: "https://a.test/3", method: "POST", body: "secret" });
    await chain.settle();
    await chain.answer("allow_in_conversation");
    expect([await first, await second]).toMatchObject([{ status: "ok" }, { status: "ok" }]);
    expect(chain.cards).toMatchObject([{ arguments: { method: "POST" }, subject: null }]);
    void fetch({ url: "https://b.test/" });
    await chain.settle();
    expect(chain.cards).toHaveLength(2);
  });

  it("sending data can only be allowed once; the wider answer is offered where it is wider", async () => {
    const chain = new ChainHarness(ONLINE);
    const offered = async (tool: string, args: JsonObject, scope: string) => {
      await chain.start(tool, { args, scope });
      return chain.cards.at(-1)?.answers;
    };
    const once = ["deny", "allow_once"];
    const here = [...once, "allow_in_conversation"];
    const url = "https://a.test/";
    expect(await offered("fetch_url", { url, method: "POST" }, "network:http")).toEqual(once);
    expect(await offered("read_clipboard", {}, "clipboard:read")).toEqual(here);
    expect(await offered("fetch_url", { url }, "network:http")).toEqual([
      ...here,
      "allow_scope_in_conversation",
    ]);
  });

  it("a tool learns that it was given the whole scope, and only then", async () => {
    for (const [answer, whole] of [
      ["allow_once", false],
      ["allow_in_conversation", false],
      ["allow_scope_in_conversation", true],
    ] as const) {
      const chain = new ChainHarness(ONLINE);
      const args = { url: "https://a.test/" };
      void chain.handle(callTo("fetch_url", { args, scope: "network:http" }));
      await chain.answer(answer);
      if (answer !== "allow_once") {
        await chain.handle(callTo("fetch_url", { args, scope: "network:http" }));
      }
      expect(new Set(chain.ran.map(({ context }) => context.whole_scope))).toEqual(
        new Set([whole]),
      );
    }
  });

  it("high asks every time and times out after 30 s of being visible, not before", async () => {
    const chain = new ChainHarness(HIGH);
    const { response } = await chain.start("read_clipboard");
    chain.time.pass(10 * 60_000);
    const card = chain.queue.waiting()[0];
    expect(card?.remaining_ms).toBeNull();
    chain.queue.opened(card?.request.request_id ?? "");
    chain.time.pass(LIMITS.consentTimeoutMs - 1);
    expect(chain.cards).toHaveLength(1);
    chain.time.pass(1);
    expect(await response).toMatchObject({ status: "denied", reason: "user_timeout" });
    expect(chain.ran).toEqual([]);
  });

  it("high waits as long as the person has set; a change does not affect a request that waits", async () => {
    const chain = new ChainHarness(HIGH);
    const limits = () => chain.cards.map((card) => card.timeout_ms);
    await chain.start("read_clipboard");
    chain.settings = { ...chain.settings, consent_timeout_ms: LIMITS.consentTimeoutCapMs };
    await chain.start("read_clipboard");
    expect(limits()).toEqual([LIMITS.consentTimeoutMs, LIMITS.consentTimeoutCapMs]);
  });

  it("always deny becomes a rule that needs no second prompt", async () => {
    const chain = new ChainHarness(HIGH);
    const first = await chain.answered("always_deny", "read_clipboard");
    expect(first).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ reason: "user_refused" });
    expect(chain.outcomes().map((record) => record.decided_by)).toEqual(["person", "rule"]);
    expect(chain.ran).toEqual([]);
  });

  it("a denied call does not run", async () => {
    const chain = new ChainHarness();
    const response = await chain.answered("deny", "read_clipboard");
    expect(response).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(chain.ran).toEqual([]);
  });

  it("an approval whose lasting effect cannot be stored approves nothing", async () => {
    const chain = new ChainHarness({ grantsFail: true });
    const response = await chain.answered("allow_in_conversation", "read_clipboard");
    expect(response).toMatchObject({ reason: "audit_unavailable" });
    expect(chain.ran).toEqual([]);
  });
});

describe("roots", () => {
  it("a wanted folder is asked for even within a quiet period, and passed to the tool", async () => {
    const chain = new ChainHarness({
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read" },
    });
    const { response } = await chain.start("read_file");
    expect(chain.cards[0]?.root_wanted).toMatchObject({
      suggested_path: "/home/ada",
      access: "read",
    });
    await expect(chain.answer("allow_once")).rejects.toThrow("root_needed");
    await chain.answer("allow_once", { path: "/home/ada", access: "read" });
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.roots.map((root) => root.path)).toEqual(["/home/ada"]);
  });
});
