import { MockLanguageModelV4 } from "ai/test";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { createI18n } from "../../i18n/index.ts";
import { modelWords } from "../../main/client/agents/model-words.ts";
import { modelTools } from "../../sdk/models/index.ts";
import { manifest } from "./manifest.ts";
import { ModelChat, type ModelChatPorts } from "./model-chat.ts";
import { SILENCE_MS } from "./silence-limit.ts";

const words = modelWords(createI18n("en").t);
const message = {
  conversation_id: "c1",
  conversation_seq: 1,
  sender_type: "human",
  payload: { type: "text", text: "Hello" },
} as unknown as Parameters<ModelChat["answer"]>[0];

type Streamed = Awaited<ReturnType<MockLanguageModelV4["doStream"]>>["stream"];
type Part = Streamed extends ReadableStream<infer Each> ? Each : never;

let sent: string[];
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
    ended() {},
  });
}

beforeEach(() => {
  sent = [];
  ended = [];
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
});

afterEach(() => void vi.useRealTimers());

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
    const answered = chatWith(silentAfter(parts)).answer(message);
    await vi.advanceTimersByTimeAsync(SILENCE_MS - 1);
    expect(ended).toEqual([false]);
    await vi.advanceTimersByTimeAsync(1);
    await answered;
    expect(sent).toEqual(expected);
    expect(ended).toEqual([true]);
  },
);
