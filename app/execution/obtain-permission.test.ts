import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ToolFailure } from "./ports.ts";
import { ChainHarness, callTo } from "./testing/chain-harness.ts";

describe("what the person is shown", () => {
  const previewed = (chain: ChainHarness, more: Partial<ChainHarness> = {}) =>
    Object.assign(chain, {
      previews: async () => ({ shown: { kind: "not_shown", word: "io_error" }, seen: "v1" }),
      ...more,
    });

  it("is on the card, and what it was drawn from reaches the tool", async () => {
    const chain = previewed(new ChainHarness());
    const response = chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()[0]?.request.preview).toEqual({
      kind: "not_shown",
      word: "io_error",
    });
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.seen).toBe("v1");
  });

  it("is not drawn for a call that nobody is asked about", async () => {
    let drawn = 0;
    const chain = previewed(new ChainHarness(), {
      previews: async () => {
        drawn += 1;
        return { shown: null, seen: null };
      },
    });
    await chain.handle(callTo("send_notification"));
    expect(drawn).toBe(0);
    expect(chain.ran[0]?.context.seen).toBeNull();
  });

  it("refuses the call unasked where it cannot be drawn, and logs it", async () => {
    const chain = previewed(new ChainHarness(), {
      previews: () => Promise.reject(new ToolFailure("not_found")),
    });
    const response = await chain.handle(callTo("read_clipboard"));
    expect(response).toMatchObject({ error_code: "TOOL_PLATFORM_ERROR", reason: "not_found" });
    expect(chain.ran).toEqual([]);
    expect(chain.outcomes()).toHaveLength(1);
  });

  it("tells an agent nothing about a folder it was not given: the person is asked instead", async () => {
    const chain = previewed(new ChainHarness(), {
      previews: () => Promise.reject(new ToolFailure("not_found")),
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    const { preview } = chain.desk.waiting()[0]?.request ?? {};
    expect(preview).toEqual({ kind: "not_shown", word: "not_found" });
  });

  it("is drawn with the wanted folder as if it had been given", async () => {
    const seen: unknown[] = [];
    const chain = previewed(new ChainHarness(), {
      previews: async (_args, { roots }) => {
        seen.push(roots.map(({ path, access }) => [path, access]));
        return { shown: null, seen: null };
      },
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(seen).toEqual([[["/home/ada", "read_write"]]]);
  });

  it("takes no longer than its limit; past it the call is refused and its signal aborted", async () => {
    const signals: AbortSignal[] = [];
    const chain = previewed(new ChainHarness(), {
      previews: (_args, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const response = chain.handle(callTo("read_clipboard"));
    await chain.settle();
    chain.time.pass(LIMITS.previewMs);
    expect(await response).toMatchObject({ reason: "tool_timeout" });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("takes a place while it is drawn: a flood draws three previews, not ten thousand", async () => {
    let drawn = 0;
    const chain = previewed(new ChainHarness(), {
      previews: () => {
        drawn += 1;
        return new Promise(() => {});
      },
    });
    const responses = Array.from({ length: 10_000 }, () => chain.handle(callTo("read_clipboard")));
    await chain.settle();
    expect(drawn).toBe(LIMITS.waitingPerAgent);
    expect(await responses[9_999]).toMatchObject({ reason: "consent_queue_full" });
    chain.time.pass(LIMITS.previewMs);
    await Promise.all(responses);
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(drawn).toBe(LIMITS.waitingPerAgent + 1);
  });
});

describe("a host of the person's own network", () => {
  const HOST = { host: "10.0.0.5", port: 8080 };
  const wanting = () => {
    const chain = new ChainHarness();
    chain.preflight = { kind: "host_wanted", host: HOST };
    return chain;
  };

  it("is asked for even within a quiet period, and allowed once means this call", async () => {
    const chain = wanting();
    const response = chain.handle(callTo("read_clipboard"));
    await chain.settle();
    expect(chain.desk.waiting()[0]?.request.host_wanted).toEqual(HOST);
    await chain.answer("allow_once");
    await response;
    expect(chain.ran[0]?.context.hosts).toEqual([HOST]);
    expect(chain.agent.hosts).toEqual([]);
  });

  it("stays allowed after an answer for the whole conversation", async () => {
    const chain = wanting();
    const response = chain.handle(callTo("read_clipboard"));
    await chain.answer("allow_in_conversation");
    await response;
    expect(chain.agent.hosts).toMatchObject([HOST]);
  });

  it("is not covered by another card's quiet period: the card stays", async () => {
    const chain = wanting();
    void chain.handle(callTo("read_clipboard"));
    await chain.settle();
    chain.preflight = null;
    const other = chain.handle(callTo("read_clipboard"));
    await chain.settle();
    const card = chain.desk.waiting()[1]?.request.request_id ?? "";
    chain.desk.opened(card);
    chain.time.pass(LIMITS.approvalInertMs);
    chain.desk.answer(card, "allow_in_conversation", null);
    expect(await other).toMatchObject({ status: "ok" });
    expect(chain.desk.waiting()).toHaveLength(1);
  });
});
