import { MockLanguageModelV4 } from "ai/test";
import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import type { ModelFault } from "../../app/contract/connected-model.ts";
import { createI18n } from "../../i18n/index.ts";
import { modelWords } from "../../main/client/agents/connected-model.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { modelsOf } from "../providers.ts";
import { chunk, type FailingProvider, failingProvider } from "../testing/failing-provider.ts";
import { manifest } from "./manifest.ts";
import { ModelChat, type ModelChatPorts, SILENCE_MS } from "./model-chat.ts";

const words = modelWords(createI18n("en").t);
const message = (text: string) =>
  ({
    conversation_id: "c1",
    conversation_seq: 1,
    sender_type: "human",
    payload: { type: "text", text },
  }) as unknown as Parameters<ModelChat["answer"]>[0];

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Streamed extends ReadableStream<infer Each> ? Each : never;

let sent: string[];
let faults: (ModelFault | null)[];
/** Of every request, whether it was ended. */
let ended: boolean[];

/** A model that says this and then nothing more; `null`: its provider does not even begin. */
const silentAfter = (parts: readonly Part[] | null) =>
  new MockLanguageModelV4({
    doStream({ abortSignal }) {
      const at = ended.push(false) - 1;
      const { promise: aborted, reject } = Promise.withResolvers<never>();
      abortSignal?.addEventListener("abort", () => {
        ended[at] = true;
        reject(abortSignal.reason);
      });
      if (parts === null) return aborted;
      const stream: Streamed = new ReadableStream({
        start(controller) {
          for (const part of parts) controller.enqueue(part);
          aborted.catch((reason) => controller.error(reason));
        },
      });
      return Promise.resolve({ stream });
    },
  });

function chatWith(model: ModelChatPorts["model"]): ModelChat {
  const send = async (_: string, { text }: { text: string }) => void sent.push(text);
  const agent = {
    typing() {},
    stopTyping() {},
    callTool: () => Promise.reject(new Error("not asked")),
    send,
    stream: () => ({ delta() {}, abort() {}, done: (text: string) => send("", { text }) }),
  } as unknown as ModelChatPorts["agent"];
  return new ModelChat({
    agent,
    model,
    tools: modelTools(manifest),
    words,
    isBack: false,
    ended: (fault) => void faults.push(fault),
  });
}

beforeEach(() => {
  sent = [];
  faults = [];
  ended = [];
});

it.each([
  ["never answers", null, [words.faults.unreachable]],
  [
    "stops in the middle",
    [
      { type: "text-start", id: "1" },
      { type: "text-delta", id: "1", delta: "Half" },
    ],
    ["Half", `${words.phrases.broken_off}\n\n${words.faults.unreachable}`],
  ],
] as [string, readonly Part[] | null, string[]][])(
  "a provider that %s is waited for two minutes, once",
  async (_, parts, expected) => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const answered = chatWith(silentAfter(parts)).answer(message("Hello"));
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
    expect(ended).toEqual([false]);
    await vi.advanceTimersByTimeAsync(1);
    await answered;
    expect(sent).toEqual(expected);
    expect(ended).toEqual([true]);
  },
);

const modelOf = ({ baseUrl }: FailingProvider) =>
  modelsOf({ providers: { one: { baseUrl } } })("one/any");

it("what was said when the connection is lost is kept, marked, and still known to the model", async () => {
  await using provider = await failingProvider(
    { body: chunk("Half an ") + chunk("answer"), isCut: true },
    { body: chunk("The other half") + chunk("", "stop") },
  );
  const chat = chatWith(modelOf(provider));
  await chat.answer(message("Hello"));
  const { provider_failed } = words.faults;
  expect(sent).toEqual(["Half an answer", `${words.phrases.broken_off}\n\n${provider_failed}`]);
  await chat.answer(message("Go on"));
  expect(sent.at(-1)).toBe("The other half");
  expect(faults).toEqual(["provider_failed", null]);
  expect(provider.bodies[1]).toContain("Half an answer");
});

it.each([
  ["a page", { body: "<html>It works!</html>", type: "text/html" }],
  ["other JSON", { body: '{"foo":"bar"}', type: "application/json" }],
  ["nothing", { body: "data: [DONE]\n\n" }],
  ["no words", { body: chunk("") + chunk("", "stop") }],
])(
  "a provider that sends %s is said to have failed, and is asked that no more",
  async (_, body) => {
    await using provider = await failingProvider(body);
    const chat = chatWith(modelOf(provider));
    await chat.answer(message("The number is 4711"));
    expect(sent).toEqual([words.faults.provider_failed]);
    expect(faults).toEqual(["provider_failed"]);
    await chat.answer(message("Again"));
    expect(provider.bodies[1]).not.toContain("4711");
  },
);

it.each([
  ["length", "too_long"],
  ["content_filter", "broken_off"],
] as const)("an answer that ends with %s is said not to be whole", async (reason, phrase) => {
  await using provider = await failingProvider({ body: chunk("Half") + chunk("", reason) });
  await chatWith(modelOf(provider)).answer(message("Hello"));
  expect(sent).toEqual(["Half", words.phrases[phrase]]);
  expect(faults).toEqual([null]);
});
