import { describe, expect, it } from "vitest";
import type { ConsentRequest } from "../contract/consent-request.ts";
import { LIMITS } from "../contract/limits.ts";
import { handleCall } from "./handle-call.ts";
import { toolFailure } from "./ports.ts";
import { agentWith, ChainHarness, callTo } from "./testing/chain-harness.ts";

describe("what the person is shown", () => {
  const NOT_SHOWN = { kind: "not_shown", word: "io_error" } as const;

  it("is on the card, and what it was drawn from reaches the tool", async () => {
    const chain = new ChainHarness({ previews: async () => ({ shown: NOT_SHOWN, seen: "v1" }) });
    const { response } = await chain.start("read_clipboard");
    expect(chain.cards[0]?.preview).toEqual(NOT_SHOWN);
    await chain.answer("allow_once");
    expect(await response).toMatchObject({ status: "ok" });
    expect(chain.ran[0]?.context.seen).toBe("v1");
    expect(chain.time.pending).toBe(0);
  });

  it("is nothing where the tool has no preview", async () => {
    const chain = new ChainHarness();
    await chain.start("read_clipboard");
    expect(chain.cards[0]?.preview).toBeNull();
  });

  it("is not drawn for a call that nobody is asked about", async () => {
    let drawn = 0;
    const chain = new ChainHarness({
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
    const chain = new ChainHarness({
      previews: () => Promise.reject(toolFailure("not_found")),
    });
    const response = await chain.handle(callTo("read_clipboard"));
    expect(response).toMatchObject({ error_code: "TOOL_PLATFORM_ERROR", reason: "not_found" });
    expect(chain.ran).toEqual([]);
    expect(chain.outcomes()).toHaveLength(1);
  });

  it("tells an agent nothing about a folder it was not given: the person is asked instead", async () => {
    const chain = new ChainHarness({
      previews: () => Promise.reject(toolFailure("not_found")),
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    await chain.start("read_clipboard");
    expect(chain.cards[0]?.preview).toEqual({ kind: "not_shown", word: "not_found" });
  });

  it("is drawn with the wanted folder as if it had been given", async () => {
    const seen: unknown[] = [];
    const chain = new ChainHarness({
      previews: async (_args, { roots }) => {
        seen.push(roots.map(({ path, access }) => [path, access]));
        return { shown: null, seen: null };
      },
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    await chain.start("read_clipboard");
    expect(seen).toEqual([[["/home/ada", "read_write"]]]);
  });

  it("takes no longer than its limit; past it the call is refused and its signal aborted", async () => {
    const signals: AbortSignal[] = [];
    const chain = new ChainHarness({
      previews: (_args, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const { response } = await chain.start("read_clipboard");
    chain.time.pass(LIMITS.previewMs);
    expect(await response).toMatchObject({ reason: "tool_timeout" });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("takes a place while it is drawn: a flood draws three previews, not ten thousand", {
    timeout: 20_000,
  }, async () => {
    let drawn = 0;
    const chain = new ChainHarness({
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
    await chain.start("read_clipboard");
    expect(drawn).toBe(LIMITS.waitingPerAgent + 1);
  });
});

describe("a host of the person's own network", () => {
  const HOST = { host: "10.0.0.5", port: 8080 };
  const wanting = () => new ChainHarness({ preflight: { kind: "host_wanted", host: HOST } });

  it("is asked for even within a quiet period, and allowed once means this call", async () => {
    const chain = wanting();
    const { response } = await chain.start("read_clipboard");
    expect(chain.cards[0]?.host_wanted).toEqual(HOST);
    await chain.answer("allow_once");
    await response;
    expect(chain.ran[0]?.context.hosts).toEqual([HOST]);
    expect(chain.agent.hosts).toEqual([]);
  });

  it("stays allowed after an answer for the whole conversation", async () => {
    const chain = wanting();
    await chain.answered("allow_in_conversation", "read_clipboard");
    expect(chain.agent.hosts).toMatchObject([HOST]);
  });

  it("is not given by an answer about public hosts", async () => {
    const chain = new ChainHarness({
      agent: agentWith({
        toolScopes: { fetch_url: "network:http" },
        sensitivity: { "network:http": "medium" },
      }),
      preflight: { kind: "host_wanted", host: HOST },
    });
    const args = { url: "http://10.0.0.5:8080/" };
    await chain.start("fetch_url", { args, scope: "network:http" });
    expect(chain.cards[0]?.answers).toEqual(["deny", "allow_once", "allow_in_conversation"]);
    await expect(chain.answer("allow_scope_in_conversation")).rejects.toThrow("not_offered");
  });

  it("is not covered by another card's quiet period: the card stays", async () => {
    const chain = wanting();
    await chain.start("read_clipboard");
    chain.preflight = null;
    const { response: other } = await chain.start("read_clipboard");
    const card = chain.cards[1]?.request_id ?? "";
    chain.queue.opened(card);
    chain.time.pass(LIMITS.approvalInertMs);
    chain.queue.answer(card, "allow_in_conversation", null);
    expect(await other).toMatchObject({ status: "ok" });
    expect(chain.cards).toHaveLength(1);
  });
});

describe("a request that is no longer worth asking", () => {
  it.each<[string, (chain: ChainHarness) => unknown, string, string]>([
    [
      "its agent is gone",
      (of) => Object.assign(of, { gone: true }),
      "agent_disconnected",
      "contract",
    ],
    [
      "all agents were paused",
      (of) => Object.assign(of, { paused: true }),
      "user_refused",
      "paused",
    ],
    ["its agent gave it up", (of) => of.ports.live.end({}, "cancelled"), "cancelled", "contract"],
  ])("is not asked: %s while its preview was drawn", async (_, happens, reason, by) => {
    const chain = new ChainHarness();
    let asked = 0;
    const consent = {
      ...chain.ports.consent,
      reconsider: () => {},
      wantNoRoot: () => {},
      reserve: () => ({
        release: () => {},
        ask: async () => {
          asked += 1;
          return { kind: "timed_out", watched: false } as const;
        },
      }),
    };
    chain.previews = async () => {
      happens(chain);
      return { shown: null, seen: null };
    };
    const response = await handleCall({ ...chain.ports, consent }, callTo("read_clipboard"));
    expect(response).toMatchObject({ reason });
    expect([asked, chain.outcomes().map(({ decided_by }) => decided_by)]).toEqual([0, [by]]);
  });
});

describe("what was allowed", () => {
  it("at low is the whole scope, and still waits for the person where something is wanted", async () => {
    const chain = new ChainHarness();
    await chain.handle(callTo("send_notification"));
    expect(chain.ran[0]?.context.whole_scope).toBe(true);
    chain.preflight = { kind: "root_wanted", suggested_path: "/home/ada", access: "read" };
    await chain.start("send_notification");
    expect(chain.cards).toHaveLength(1);
  });

  it("in a conversation does not carry over to high, whatever is open", async () => {
    const chain = new ChainHarness();
    await chain.answered("allow_in_conversation", "read_clipboard");
    const { manifest_hash } = chain.agent;
    chain.agent = {
      ...agentWith({ sensitivity: { "clipboard:read": "high" } }),
      manifest_hash,
    };
    await chain.start("read_clipboard");
    expect(chain.cards).toHaveLength(1);
    expect(chain.agent.hosts).toEqual([]);
  });

  it("leaves no rule behind when it is denied once; a denial for good holds although it cannot be stored", async () => {
    const chain = new ChainHarness();
    await chain.answered("deny", "read_clipboard");
    expect(chain.rules).toEqual([]);
    chain.agent = agentWith({ sensitivity: { "clipboard:read": "high" } });
    chain.grantsFail = true;
    const response = await chain.answered("always_deny", "read_clipboard");
    expect(response).toMatchObject({ status: "denied", reason: "user_refused" });
  });

  it("decides of the other requests only those that it covers", async () => {
    const chain = new ChainHarness();
    let covered: (request: ConsentRequest) => boolean = () => false;
    const { queue } = chain;
    const consent = {
      reserve: (agentId: string) => queue.reserve(agentId),
      reconsider: (matches: typeof covered) => {
        covered = matches;
      },
      wantNoRoot: () => {},
    };
    void handleCall({ ...chain.ports, consent }, callTo("read_clipboard"));
    await chain.settle();
    const request = chain.cards[0];
    if (request === undefined) throw new Error("nobody is asked");
    await chain.answer("allow_in_conversation");
    const others: readonly Partial<ConsentRequest>[] = [
      { agent_id: "other" },
      { conversation_id: "other" },
      { scope: "clipboard:write" },
      { root_wanted: { suggested_path: "/home/ada", access: "read", file: null } },
      { host_wanted: { host: "printer.local", port: 80 } },
      { sensitivity: "high" },
      { subject: null },
    ];
    expect(covered(request)).toBe(true);
    expect(others.map((other) => covered({ ...request, ...other }))).toEqual(
      others.map(() => false),
    );
  });

  it("is asked for in the manifest's own words where it has some", async () => {
    const chain = new ChainHarness();
    await chain.start("read_clipboard");
    expect(chain.cards[0]).toMatchObject({
      scope_label_fallback: "clipboard:read",
      description_fallback: null,
    });
  });
});
