import { describe, expect, it } from "vitest";
import { DENIED_REASONS, ERROR_CODES, ERROR_REASONS } from "../../app/contract/codes.ts";
import { ToolCallError, unsent } from "../errors.ts";
import { WEB_MANIFEST } from "../testing/web-manifest.ts";
import { type CallTool, type ModelCall, modelTools, ToolRunner } from "./index.ts";

const tools = modelTools(WEB_MANIFEST);

const fetching = (url: string): ModelCall => ({
  id: `id-${url}`,
  modelName: "fetch_url",
  input: { url },
});
const locating = (id: string): ModelCall => ({ id, modelName: "get_location", input: {} });

/** Calls that wait until the test answers them, in the order they were made. */
class Desk {
  readonly made: {
    readonly name: string;
    answer(result: string): void;
    fail(error: Error): void;
  }[] = [];
  readonly call: CallTool = (name, _args, { signal }) =>
    new Promise((resolve, reject) => {
      this.made.push({ name, answer: resolve, fail: reject });
      const abort = () =>
        reject(new ToolCallError("c", name, { kind: "aborted", code: "aborted" }));
      signal?.addEventListener("abort", abort);
    });
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
  }
}

/** A turn with these calls, which wait. */
async function begun(calls: readonly ModelCall[], options = {}, signal?: AbortSignal) {
  const desk = new Desk();
  const turn = new ToolRunner({ tools, call: desk.call, ...options }).runAll(calls, signal);
  await desk.settle();
  return { desk, turn };
}

const busy = (name: string) =>
  new ToolCallError("c", name, {
    kind: "failed",
    code: "TOOL_UNAVAILABLE",
    reason: "consent_queue_full",
  });

describe("a turn with several calls", () => {
  it("makes them all at once, and gives each its own result in any order of answers", async () => {
    const { desk, turn } = await begun(["a", "b", "c"].map(fetching));
    expect(desk.made).toHaveLength(3);
    for (const at of [2, 0, 1]) desk.made[at]?.answer(`result ${at}`);
    expect(await turn).toMatchObject([
      { id: "id-a", text: "result 0" },
      { id: "id-b", text: "result 1" },
      { id: "id-c", text: "result 2" },
    ]);
  });

  it("goes on when one fails", async () => {
    const { desk, turn } = await begun(["a", "b"].map(fetching));
    desk.made[0]?.fail(
      new ToolCallError("c", "fetch_url", { kind: "denied", reason: "user_refused" }),
    );
    desk.made[1]?.answer("fine");
    expect(await turn).toMatchObject([
      { isError: true, code: "user_refused" },
      { isError: false, text: "fine" },
    ]);
  });

  it("tells the model what the person told the agent with a denial", async () => {
    const { desk, turn } = await begun(["a"].map(fetching));
    desk.made[0]?.fail(
      new ToolCallError("c", "fetch_url", {
        kind: "denied",
        reason: "user_refused",
        told: "Use example.org",
      }),
    );
    expect(await turn).toMatchObject([
      {
        code: "user_refused",
        text: expect.stringMatching(/^user_refused: .* They say: Use example\.org$/),
      },
    ]);
  });

  it("keeps to a limit, in the order the model made the calls", async () => {
    const { desk, turn } = await begun(["a", "b", "c", "d"].map(fetching), { atOnce: 2 });
    for (let answered = 0; answered < 4; answered += 1) {
      await desk.settle();
      expect(desk.made).toHaveLength(Math.min(4, answered + 2));
      desk.made[answered]?.answer(String(answered));
    }
    expect((await turn).map(({ text }) => text)).toEqual(["0", "1", "2", "3"]);
  });

  it("makes high ones wait for one another on request, while others overtake them", async () => {
    const calls = [locating("1"), locating("2"), fetching("a")];
    const { desk, turn } = await begun(calls, { highOneByOne: true });
    expect(desk.made.map(({ name }) => name)).toEqual(["get_location", "fetch_url"]);
    desk.made[0]?.answer("here");
    await desk.settle();
    expect(desk.made).toHaveLength(3);
    desk.made[1]?.answer("page");
    desk.made[2]?.answer("there");
    expect((await turn).map(({ text }) => text)).toEqual(["here", "there", "page"]);
  });

  it("is ended as a whole by its signal, including calls not yet made", async () => {
    const stop = new AbortController();
    const { desk, turn } = await begun(["a", "b"].map(fetching), { atOnce: 1 }, stop.signal);
    stop.abort();
    expect(await turn).toMatchObject([{ code: "aborted" }, { code: "aborted" }]);
    expect(desk.made).toHaveLength(1);
  });

  it("repeats a call that the person had no room for, once another is answered", async () => {
    const { desk, turn } = await begun(["a", "b"].map(fetching));
    desk.made[1]?.fail(busy("fetch_url"));
    await desk.settle();
    expect(desk.made).toHaveLength(2);
    desk.made[0]?.answer("first");
    await desk.settle();
    desk.made[2]?.answer("second");
    expect((await turn).map(({ text }) => text)).toEqual(["first", "second"]);
  });

  it("gives up when other agents fill the person's queue", async () => {
    const call: CallTool = (name) => Promise.reject(busy(name));
    const outcomes = await new ToolRunner({ tools, call }).runAll(["a", "b", "c"].map(fetching));
    expect(outcomes.map((each) => each.isError && each.code)).toEqual(
      Array(3).fill("consent_queue_full"),
    );
  });
});

describe("what a model writes wrongly is an error it can read, and nobody is asked", () => {
  const run = (call: ModelCall) =>
    new ToolRunner({ tools, call: () => Promise.reject(new Error("asked")) }).run(call);

  it.each([
    ["a tool nobody offers", { modelName: "format_disk", input: {} }, "unknown_tool"],
    [
      "arguments that are no JSON object",
      { modelName: "fetch_url", input: null },
      "arguments_not_json",
    ],
    ["a missing argument", { modelName: "fetch_url", input: {} }, "schema_violation"],
  ])("%s", async (_, call, code) => {
    expect(await run({ id: "1", ...call })).toMatchObject({ id: "1", isError: true, code });
  });

  it("with the place of the fault", async () => {
    const wrong = await run({ id: "1", modelName: "fetch_url", input: { url: 7 } });
    expect(wrong.text).toBe(
      'schema_violation: Correct the arguments at /url, which break the schema’s "type", and call again.',
    );
  });
});

describe("each end of a call", () => {
  const ends = [
    ...DENIED_REASONS.map(
      (reason) =>
        [reason, new ToolCallError("c", "t", { kind: "denied", reason: reason })] as const,
    ),
    ...ERROR_CODES.flatMap((code) =>
      ERROR_REASONS[code].map(
        (reason) =>
          [
            reason,
            new ToolCallError("c", "t", { kind: "failed", code: code, reason: reason }),
          ] as const,
      ),
    ),
    ["call_timeout", new ToolCallError("c", "t", { kind: "timeout", timeoutMs: 1 })],
    ["aborted", new ToolCallError("c", "t", { kind: "aborted", code: "disconnected" })],
    ["rate_limited", new ToolCallError("c", "t", unsent("RATE_LIMITED", {}))],
    ["tool_not_declared", new ToolCallError("c", "t", unsent("tool_not_declared"))],
    ["payload_too_large", new ToolCallError("c", "t", unsent("payload_too_large"))],
    ["not_sent", new ToolCallError("c", "t", unsent("NOT_A_MEMBER"))],
    ["response_unreadable", new ToolCallError("c", "t", { kind: "unreadable" })],
  ] as const;

  it.each(ends)("%s: says what to do next, in a sentence or two", async (code, error) => {
    const call: CallTool = () => Promise.reject(error);
    const outcome = await new ToolRunner({ tools, call }).run(fetching("a"));
    expect(outcome).toMatchObject({ isError: true, code });
    expect(outcome.text).toMatch(/^[a-z_]+: [A-Z].{15,190}\.$/);
  });

  it("a denial tells the model not to repeat itself", async () => {
    for (const reason of ["user_refused", "user_timeout", "permission_revoked"] as const) {
      const call: CallTool = () =>
        Promise.reject(new ToolCallError("c", "t", { kind: "denied", reason: reason }));
      const { text } = await new ToolRunner({ tools, call }).run(fetching("a"));
      expect(text).toContain("do not repeat this call");
    }
  });

  it("an error in the program is thrown, not passed to a model", async () => {
    const call: CallTool = () => Promise.reject(new TypeError("bug"));
    await expect(new ToolRunner({ tools, call }).run(fetching("a"))).rejects.toThrow("bug");
  });
});
