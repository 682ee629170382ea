import { numbered, pieces, type ScriptedTurn } from "./script.ts";
import { type Loose, listOf, type Wire, wordsOf } from "./wire.ts";

const usageMetadata = { promptTokenCount: 1, candidatesTokenCount: 1, totalTokenCount: 2 };

const partsOf = (content: Loose | undefined): readonly Loose[] => listOf(content?.parts);

const chunk = (parts: readonly object[], finishReason?: string) => ({
  candidates: [
    {
      index: 0,
      content: { role: "model", parts },
      ...(finishReason === undefined ? {} : { finishReason }),
    },
  ],
  usageMetadata,
  modelVersion: "scripted",
});

/** Only whole calls are sent, and their arguments as parsed JSON: this API has no pieces of them. */
const callsOf = (turn: ScriptedTurn): readonly object[] =>
  numbered(turn, "call_").map(({ id, name, text }) => ({
    functionCall: { id, name, args: JSON.parse(text) as object },
  }));

/** Google's Gemini. Whether it streams is in the path. */
export const geminiWire: Wire = {
  path: /^\/v1(?:beta)?\/models\/[^/]+:(?:stream)?[gG]enerateContent$/,
  streams: (path) => path.endsWith(":streamGenerateContent"),
  read(body) {
    const contents = listOf(body.contents);
    const last = partsOf(contents.at(-1));
    const said = contents.findLast(
      (content) => content.role === "user" && wordsOf(partsOf(content)) !== "",
    );
    return {
      user: wordsOf(partsOf(said)),
      results: last.flatMap(({ functionResponse }) => {
        const result = functionResponse as Loose | undefined;
        if (result === undefined) return [];
        return [{ id: String(result.id), text: JSON.stringify(result.response) }];
      }),
      tools: listOf(body.tools)
        .flatMap(({ functionDeclarations }) => listOf(functionDeclarations))
        .map(({ name }) => String(name)),
      toolChoice: (body.toolConfig as Loose | undefined)?.functionCallingConfig,
    };
  },
  whole: (turn) =>
    chunk([...(turn.text === undefined ? [] : [{ text: turn.text }]), ...callsOf(turn)], "STOP"),
  stream: (turn) => [
    ...pieces(turn.text ?? "").map((text) => ({ data: chunk([{ text }]) })),
    { data: chunk(callsOf(turn), "STOP") },
  ],
};
