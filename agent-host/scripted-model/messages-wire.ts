import { numbered, pieces, type ScriptedTurn } from "./script.ts";
import { listOf, type Wire, wordsOf } from "./wire.ts";

const usage = { input_tokens: 1, output_tokens: 1 };
const frame = { id: "msg_1", type: "message", role: "assistant", model: "scripted" };

const stopReason = (turn: ScriptedTurn): string =>
  (turn.calls ?? []).length > 0 ? "tool_use" : "end_turn";

/** The Messages API sends arguments as parsed JSON; only a stream can contain invalid JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/** Anthropic's Messages. */
export const messagesWire: Wire = {
  path: "/v1/messages",
  read(body) {
    const messages = listOf(body.messages);
    const last = messages.at(-1)?.content;
    const said = messages.findLast(
      ({ role, content }) => role === "user" && wordsOf(content) !== "",
    );
    return {
      user: wordsOf(said?.content),
      results: (typeof last === "string" ? [] : listOf(last))
        .filter(({ type }) => type === "tool_result")
        .map((each) => ({ id: String(each.tool_use_id), text: wordsOf(each.content) })),
      tools: listOf(body.tools).map(({ name }) => String(name)),
      toolChoice: body.tool_choice,
    };
  },
  whole(turn) {
    const content = [
      ...(turn.text === undefined ? [] : [{ type: "text", text: turn.text, citations: null }]),
      ...numbered(turn, "toolu_").map(({ id, name, text }) => ({
        type: "tool_use",
        id,
        name,
        input: parsed(text),
      })),
    ];
    return { ...frame, content, stop_reason: stopReason(turn), stop_sequence: null, usage };
  },
  stream(turn) {
    const begun = { ...frame, content: [], stop_reason: null, stop_sequence: null, usage };
    const texts = turn.text === undefined ? [] : [turn.text];
    const blocks = [
      ...texts.map((text) => ({
        content_block: { type: "text", text: "" },
        deltas: pieces(text).map((piece) => ({ type: "text_delta", text: piece })),
      })),
      ...numbered(turn, "toolu_").map(({ id, name, text }) => ({
        content_block: { type: "tool_use", id, name, input: {} },
        deltas: pieces(text).map((piece) => ({ type: "input_json_delta", partial_json: piece })),
      })),
    ];
    const events = [
      { type: "message_start", message: begun },
      { type: "ping" },
      ...blocks.flatMap(({ content_block, deltas }, index) => [
        { type: "content_block_start", index, content_block },
        ...deltas.map((delta) => ({ type: "content_block_delta", index, delta })),
        { type: "content_block_stop", index },
      ]),
      {
        type: "message_delta",
        delta: { stop_reason: stopReason(turn), stop_sequence: null },
        usage,
      },
      { type: "message_stop" },
    ];
    return events.map((data) => ({ event: data.type, data }));
  },
};
