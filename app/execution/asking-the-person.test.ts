import { describe, expect, it } from "vitest";
import type { JsonObject } from "../contract/json.ts";
import { LIMITS } from "../contract/limits.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

const HOUR = 3_600_000;
const NETWORK = { fetch_url: "network:http" };

describe("sensitivity", () => {
  it("low runs without asking", async () => {
    const chain = new ChainHarness();
    const response = await chain.handle(callTo("send_notification"));
    expect(response).toMatchObject({ status: "ok", result: { done: true } });
    expect(chain.outcomes()[0]).toMatchObject({ status: "ok", decided_by: "silent_low" });
  });

  it("a manifest can raise a level and cannot lower it", async () => {
    const chain = new ChainHarness();
    chain.agent = agentWith({
      sensitivity: { "notification:send": "high", "clipboard:read": "low" },
    });
    void chain.handle(callTo("send_notification"));
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    const levels = chain.desk.waiting().map(({ request }) => request.sensitivity);
    expect(levels).toEqual(["high", "medium"]);
  });

  it("medium asks once, then is silent in that conversation and scope only", async () => {
    const chain = new ChainHarness();
    const first = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    expect(await first).toMatchObject({ status: "ok" });
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    expect(chain.outcomes().map((record) => record.decided_by)).toEqual(["person", "window"]);

    void chain.handle(callTo("read_clipboard", { conversation_id: "conversation-2" }));
    void chain.handle(callTo("write_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()).toHaveLength(2);
  });

  it("allow once starts no quiet period", async () => {
    const chain = new ChainHarness();
    const first = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_once");
    expect(await first).toMatchObject({ status: "ok" });
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()).toHaveLength(1);
  });

  it("a quiet period lasts 24 h after each use, and 7 days at most", async () => {
    const chain = new ChainHarness();
    void chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    for (let hour = 23; hour < 7 * 24; hour += 23) {
      chain.time.pass(23 * HOUR);
      expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ status: "ok" });
    }
    chain.time.pass(8 * HOUR);
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()).toHaveLength(1);

    const idle = new ChainHarness();
    void idle.handle(callTo("read_clipboard"));
    await idle.answer("allow_in_conversation");
    idle.time.pass(24 * HOUR);
    void idle.handle(callTo("read_clipboard"));
    await idle.settle();
    expect(idle.desk.waiting()).toHaveLength(1);
  });

  it("a changed manifest ends the quiet period", async () => {
    const chain = new ChainHarness();
    void chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    chain.agent = agentWith({ timeout_ms: 9_000 });
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()).toHaveLength(1);
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
    const chain = new ChainHarness();
    chain.agent = agentWith({ toolScopes: NETWORK, sensitivity: { "network:http": "medium" } });
    const fetch = (args: JsonObject) =>
      chain.handle(callTo("fetch_url", { args, scope: "network:http" }));
    const first = fetch({ url: "https://a.test/1" });
    await chain.settle();
    const second = fetch({ url: "https://a.test/2" });
    void fetch({ url: "https://a.test/3", method: "POST", body: "secret" });
    await chain.settle();
    await chain.answer("allow_in_conversation");
    expect([await first, await second]).toMatchObject([{ status: "ok" }, { status: "ok" }]);
    const [left, ...more] = chain.desk.waiting();
    expect(left?.request).toMatchObject({ arguments: { method: "POST" }, subject: null });
    expect(more).toEqual([]);
    void fetch({ url: "https://b.test/" });
    await chain.settle();
    expect(chain.desk.waiting()).toHaveLength(2);
  });

  it("sending data can only be allowed once; the wider answer is offered where it is wider", async () => {
    const chain = new ChainHarness();
    chain.agent = agentWith({ toolScopes: NETWORK, sensitivity: { "network:http": "medium" } });
    const offered = async (tool: string, args: JsonObject, scope: string) => {
      void chain.handle(callTo(tool, { args, scope }));
      await chain.settle();
      return chain.desk.waiting().at(-1)?.request.answers;
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
      const chain = new ChainHarness();
      chain.agent = agentWith({ toolScopes: NETWORK, sensitivity: { "network:http": "medium" } });
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
    const chain = new ChainHarness();
    chain.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    const response = chain.handle(callTo("read_clipboard"));
    await chain.settle();
    chain.time.pass(10 * 60_000);
    const card = chain.desk.waiting()[0];
    expect(card?.remaining_ms).toBeNull();
    chain.desk.opened(card?.request.request_id ?? "");
    chain.time.pass(LIMITS.consentTimeoutMs - 1);
    expect(chain.desk.waiting()).toHaveLength(1);
    chain.time.pass(1);
    expect(await response).toMatchObject({ status: "denied", reason: "user_timeout" });
    expect(chain.ran).toEqual([]);
  });

  it("high waits as long as the person has set; a change does not affect a request that waits", async () => {
    const chain = new ChainHarness();
    chain.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    const limits = () => chain.desk.waiting().map(({ request }) => request.timeout_ms);
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    chain.settings = { ...chain.settings, consent_timeout_ms: LIMITS.consentTimeoutCapMs };
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(limits()).toEqual([LIMITS.consentTimeoutMs, LIMITS.consentTimeoutCapMs]);
  });

  it("always deny becomes a standing rule that needs no second prompt", async () => {
    const chain = new ChainHarness();
    chain.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    const first = chain.handle(callTo("read_clipboard"));
    await chain.answer("always_deny");
    expect(await first).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(await chain.handle(callTo("read_clipboard"))).toMatchObject({ reason: "user_refused" });
    expect(chain.outcomes().map((record) => record.decided_by)).toEqual([
      "person",
      "standing_rule",
    ]);
    expect(chain.ran).toEqual([]);
  });

  it("a denied call does not run", async () => {
    const chain = new ChainHarness();
    const response = chain.handle(callTo("read_clipboard"));
    await chain.answer("deny");
    expect(await response).toMatchObject({ status: "denied", reason: "user_refused" });
    expect(chain.ran).toEqual([]);
  });

  it("an approval whose lasting effect cannot be stored approves nothing", async () => {
    const chain = new ChainHarness();
    chain.grantsFail = true;
    const response = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    expect(await response).toMatchObject({ reason: "audit_unavailable" });
    expect(chain.ran).toEqual([]);
  });
});

describe("roots", () => {
  it("a wanted folder is asked for even within a quiet period, and passed to the tool", async () => {
    const chain = new ChainHarness();
    chain.preflight = { kind: "root_wanted", suggested_path: "/home/ada", access: "read" };
    const response = chain.handle(callTo("read_file"));
    await chain.settle();
    const card = chain.desk.waiting()[0]?.request;
    expect(card?.root_wanted).toEqual({ suggested_path: "/home/ada", access: "read" });
    await expect(chain.answer("allow_once")).rejects.toThrow("root_needed");
    await chain.answer("allow_once", { path: "/home/ada", access: "read" });
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.roots.map((root) => root.path)).toEqual(["/home/ada"]);
  });
});
