import { describe, expect, it } from "vitest";
import { LIMITS } from "../contract/limits.ts";
import { ToolFailure } from "./ports.ts";
import { callTo, House } from "./testing/house.ts";

describe("what the person is shown", () => {
  const previewed = (house: House, more: Partial<House> = {}) =>
    Object.assign(house, {
      previews: async () => ({ shown: { kind: "not_shown", word: "io_error" }, seen: "v1" }),
      ...more,
    });

  it("is on the card, and what it was drawn from reaches the tool", async () => {
    const house = previewed(new House());
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(house.desk.waiting()[0]?.request.preview).toEqual({
      kind: "not_shown",
      word: "io_error",
    });
    await house.answer("allow_once");
    expect(await response).toMatchObject({ status: "ok" });
    expect(house.ran[0]?.context.seen).toBe("v1");
  });

  it("is not drawn for a call that nobody is asked about", async () => {
    let drawn = 0;
    const house = previewed(new House(), {
      previews: async () => {
        drawn += 1;
        return { shown: null, seen: null };
      },
    });
    await house.handle(callTo("send_notification"));
    expect(drawn).toBe(0);
    expect(house.ran[0]?.context.seen).toBeNull();
  });

  it("refuses the call unasked where it cannot be drawn, and logs it", async () => {
    const house = previewed(new House(), {
      previews: () => Promise.reject(new ToolFailure("not_found")),
    });
    const response = await house.handle(callTo("read_clipboard"));
    expect(response).toMatchObject({ error_code: "TOOL_PLATFORM_ERROR", reason: "not_found" });
    expect(house.ran).toEqual([]);
    expect(house.outcomes()).toHaveLength(1);
  });

  it("tells an agent nothing about a folder it was not given: the person is asked instead", async () => {
    const house = previewed(new House(), {
      previews: () => Promise.reject(new ToolFailure("not_found")),
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    const { preview } = house.desk.waiting()[0]?.request ?? {};
    expect(preview).toEqual({ kind: "not_shown", word: "not_found" });
  });

  it("is drawn with the wanted folder as if it had been given", async () => {
    const seen: unknown[] = [];
    const house = previewed(new House(), {
      previews: async (_args, { roots }) => {
        seen.push(roots.map(({ path, access }) => [path, access]));
        return { shown: null, seen: null };
      },
      preflight: { kind: "root_wanted", suggested_path: "/home/ada", access: "read_write" },
    });
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(seen).toEqual([[["/home/ada", "read_write"]]]);
  });

  it("takes no longer than its limit; past it the call is refused and its signal aborted", async () => {
    const signals: AbortSignal[] = [];
    const house = previewed(new House(), {
      previews: (_args, { signal }) => {
        signals.push(signal);
        return new Promise(() => {});
      },
    });
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    house.advance(LIMITS.previewMs);
    expect(await response).toMatchObject({ reason: "tool_timeout" });
    expect(signals[0]?.aborted).toBe(true);
  });

  it("holds a place for the call meanwhile: a flood draws three previews, not ten thousand", async () => {
    let drawn = 0;
    const house = previewed(new House(), {
      previews: () => {
        drawn += 1;
        return new Promise(() => {});
      },
    });
    const responses = Array.from({ length: 10_000 }, () => house.handle(callTo("read_clipboard")));
    await house.settle();
    expect(drawn).toBe(LIMITS.waitingPerAgent);
    expect(await responses[9_999]).toMatchObject({ reason: "consent_queue_full" });
    house.advance(LIMITS.previewMs);
    await Promise.all(responses);
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(drawn).toBe(LIMITS.waitingPerAgent + 1);
  });
});

describe("a host of the person's own network", () => {
  const HOST = { host: "10.0.0.5", port: 8080 };
  const wanting = () => {
    const house = new House();
    house.preflight = { kind: "host_wanted", host: HOST };
    return house;
  };

  it("is asked for although a window is open, and allowed once means this call", async () => {
    const house = wanting();
    const response = house.handle(callTo("read_clipboard"));
    await house.settle();
    expect(house.desk.waiting()[0]?.request.host_wanted).toEqual(HOST);
    await house.answer("allow_once");
    await response;
    expect(house.ran[0]?.context.hosts).toEqual([HOST]);
    expect(house.agent.hosts).toEqual([]);
  });

  it("stays allowed after an answer for the whole conversation", async () => {
    const house = wanting();
    const response = house.handle(callTo("read_clipboard"));
    await house.answer("allow_in_conversation");
    await response;
    expect(house.agent.hosts).toMatchObject([HOST]);
  });

  it("is not let in by another card's window: the card stays", async () => {
    const house = wanting();
    void house.handle(callTo("read_clipboard"));
    await house.settle();
    house.preflight = null;
    const other = house.handle(callTo("read_clipboard"));
    await house.settle();
    const card = house.desk.waiting()[1]?.request.request_id ?? "";
    house.desk.opened(card);
    house.advance(LIMITS.approvalInertMs);
    house.desk.answer(card, "allow_in_conversation", null);
    expect(await other).toMatchObject({ status: "ok" });
    expect(house.desk.waiting()).toHaveLength(1);
  });
});
