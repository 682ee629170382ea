import { numbered, pieces, type ScriptedTurn } from "./script.ts";
import { type Loose, listOf, type StreamEvent, type Wire, wordsOf } from "./wire.ts";

const frame = {
  id: "resp_1",
  object: "response",
  created_at: 0,
  model: "scripted",
  error: null,
  incomplete_details: null,
  instructions: null,
  metadata: {},
  parallel_tool_calls: true,
  temperature: 1,
  tool_choice: "auto",
  tools: [],
  top_p: 1,
};
const usage = {
  input_tokens: 1,
  input_tokens_details: { cached_tokens: 0 },
  output_tokens: 1,
  output_tokens_details: { reasoning_tokens: 0 },
  total_tokens: 2,
};

type Item = { readonly id: string; readonly type: string; readonly [key: string]: unknown };

function itemsOf(turn: ScriptedTurn): Item[] {
  const calls = numbered(turn, "call_").map(({ id, name, text }) => {
    const [tool = "", namespace] = name.split(".").toReversed();
    return {
      id: `fc_${id}`,
      type: "function_call",
      status: "completed",
      call_id: id,
      name: tool,
      ...(namespace === undefined ? {} : { namespace }),
      arguments: text,
    };
  });
  if (turn.text === undefined) return calls;
  const content = [{ type: "output_text", text: turn.text, annotations: [] }];
  const message = { id: "msg_1", type: "message", status: "completed", role: "assistant", content };
  return [message, ...calls];
}

/** OpenAI's Responses. */
export const responsesWire: Wire = {
  path: "/v1/responses",
  read(body) {
    const input =
      typeof body.input === "string" ? [{ role: "user", content: body.input }] : listOf(body.input);
    const last = input.findLastIndex(
      ({ type, role }) => type === "function_call" || role === "assistant",
    );
    return {
      user: wordsOf(input.findLast(({ role }) => role === "user")?.content),
      results: input
        .slice(last + 1)
        .filter(({ type }) => type === "function_call_output")
        .map(({ call_id, output }) => ({ id: String(call_id), text: wordsOf(output) })),
      tools: listOf(body.tools).flatMap(({ type, name, tools }) =>
        type === "namespace" ? listOf(tools).map((each) => `${name}.${each.name}`) : [String(name)],
      ),
      toolChoice: body.tool_choice,
    };
  },
  whole: (turn) => ({ ...frame, status: "completed", output: itemsOf(turn), usage }),
  stream(turn) {
    const items = itemsOf(turn);
    const whole = { ...frame, status: "completed", output: items, usage };
    const begun = { ...frame, status: "in_progress", output: [], usage: null };
    const events = [
      { type: "response.created", response: begun },
      ...items.flatMap((item, output_index) => itemEvents(item, output_index)),
      { type: "response.completed", response: whole },
    ];
    return events.map(
      (event, sequence_number): StreamEvent => ({
        event: event.type,
        data: { ...event, sequence_number },
      }),
    );
  },
};

function itemEvents(item: Item, output_index: number): ({ type: string } & Loose)[] {
  const place = { item_id: item.id, output_index };
  const done = { type: "response.output_item.done", output_index, item };
  if (item.type === "function_call") {
    const empty = { ...item, arguments: "", status: "in_progress" };
    return [
      { type: "response.output_item.added", output_index, item: empty },
      ...pieces(String(item.arguments)).map((delta) => ({
        type: "response.function_call_arguments.delta",
        ...place,
        delta,
      })),
      {
        type: "response.function_call_arguments.done",
        ...place,
        name: item.name,
        arguments: item.arguments,
      },
      done,
    ];
  }
  const text = wordsOf(item.content);
  const part = { type: "output_text", text, annotations: [] };
  const words = { ...place, content_index: 0 };
  return [
    {
      type: "response.output_item.added",
      output_index,
      item: { ...item, content: [], status: "in_progress" },
    },
    { type: "response.content_part.added", ...words, part: { ...part, text: "" } },
    ...pieces(text).map((delta) => ({
      type: "response.output_text.delta",
      ...words,
      delta,
      logprobs: [],
    })),
    { type: "response.output_text.done", ...words, text, logprobs: [] },
    { type: "response.content_part.done", ...words, part },
    done,
  ];
}
