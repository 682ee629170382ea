import { numbered, pieces } from "./script.ts";
import { listOf, type Wire, wordsOf } from "./wire.ts";

const frame = { id: "chatcmpl-1", created: 0, model: "scripted" };
const usage = { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 };

/** OpenAI's Chat Completions. */
export const chatWire: Wire = {
  path: "/v1/chat/completions",
  read(body) {
    const messages = listOf(body.messages);
    const last = messages.findLastIndex(({ role }) => role === "assistant");
    return {
      user: wordsOf(messages.findLast(({ role }) => role === "user")?.content),
      results: messages
        .slice(last + 1)
        .filter(({ role }) => role === "tool")
        .map((each) => ({ id: String(each.tool_call_id), text: wordsOf(each.content) })),
      tools: listOf(body.tools).map((tool) => String((tool.function as { name: string }).name)),
      toolChoice: body.tool_choice,
    };
  },
  whole(turn) {
    const calls = numbered(turn, "call_").map(({ id, name, text }) => ({
      id,
      type: "function",
      function: { name, arguments: text },
    }));
    const message = {
      role: "assistant",
      content: turn.text ?? null,
      refusal: null,
      ...(calls.length > 0 ? { tool_calls: calls } : {}),
    };
    const finish_reason = calls.length > 0 ? "tool_calls" : "stop";
    const choices = [{ index: 0, message, logprobs: null, finish_reason }];
    return { ...frame, object: "chat.completion", choices, usage };
  },
  stream(turn) {
    const calls = numbered(turn, "call_");
    const chunk = (delta: object, finish_reason: string | null = null) => ({
      data: {
        ...frame,
        object: "chat.completion.chunk",
        choices: [{ index: 0, delta, logprobs: null, finish_reason }],
      },
    });
    return [
      chunk({ role: "assistant", content: turn.text === undefined ? null : "" }),
      ...pieces(turn.text ?? "").map((content) => chunk({ content })),
      ...calls.map(({ id, name }, index) =>
        chunk({
          tool_calls: [{ index, id, type: "function", function: { name, arguments: "" } }],
        }),
      ),
      // The pieces of several calls may arrive interleaved.
      ...interleaved(calls.map(({ text }) => pieces(text))).map(([index, text]) =>
        chunk({ tool_calls: [{ index, function: { arguments: text } }] }),
      ),
      chunk({}, calls.length > 0 ? "tool_calls" : "stop"),
      { data: "[DONE]" },
    ];
  },
};

function interleaved(texts: readonly (readonly string[])[]): [number, string][] {
  const longest = Math.max(0, ...texts.map(({ length }) => length));
  return Array.from({ length: longest }, (_, at) =>
    texts.flatMap((each, index): [number, string][] => {
      const piece = each[at];
      return piece === undefined ? [] : [[index, piece]];
    }),
  ).flat();
}
