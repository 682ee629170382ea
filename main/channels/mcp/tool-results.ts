import type { CallToolResult } from "@modelcontextprotocol/server";
import { isJsonObject, type JsonObject, type JsonValue } from "../../../app/contract/json.ts";
import { type AnswerWords, wordsOfCall } from "./answer-words.ts";
import type { CallAnswer } from "./call-answer.ts";

/** In `_meta` of each result: what programs branch on. */
const OUTCOME = "consentry/outcome";

export function toolResult(answer: CallAnswer): CallToolResult {
  if (answer.kind !== "ok") return wordsResult(wordsOfCall(answer), true);
  return {
    content: [{ type: "text", text: JSON.stringify(answer.result) }],
    structuredContent: asObject(answer.result),
    _meta: { [OUTCOME]: { status: "ok" } },
  };
}

/** Every tool's result is an object (see their contracts); the type of a JSON value does not say so. */
const asObject = (result: JsonValue): JsonObject => (isJsonObject(result) ? result : { result });

export const wordsResult = ({ text, outcome }: AnswerWords, isError: boolean): CallToolResult => ({
  content: [{ type: "text", text }],
  isError,
  _meta: { [OUTCOME]: outcome },
});
