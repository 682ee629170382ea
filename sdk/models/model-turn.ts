import { isJsonObject, type JsonObject } from "../../app/contract/json.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { parseStrictJson } from "../../app/contract/strict-json.ts";

/** A call that a model made, as it made it. */
export interface ModelCall {
  /** The model's own id of the call: its result must carry the same. */
  readonly id: string;
  /** What the model called the tool. */
  readonly modelName: string;
  /** Null where the model wrote no JSON object. */
  readonly input: JsonObject | null;
}

/** Arguments from the text a model wrote: OpenAI's APIs hand over text, and so do all streams. */
export function readInput(text: string): JsonObject | null {
  // A call without arguments often comes as no text at all.
  if (text.trim() === "") return {};
  try {
    const value = parseStrictJson(text, LIMITS.callBytes);
    return isJsonObject(value) ? value : null;
  } catch {
    return null;
  }
}

/** Arguments that a client has parsed already. */
export const takeInput = (value: unknown): JsonObject | null => {
  try {
    return readInput(JSON.stringify(value ?? {}));
  } catch {
    return null;
  }
};

/** One turn of a model, whole. */
export interface ModelTurn<Message> {
  /** What the model said in words; empty when it only called tools. */
  readonly text: string;
  /** In the order the model made them. */
  readonly calls: readonly ModelCall[];
  /** To be appended to the history before the results. */
  readonly messages: readonly Message[];
}

/** Assembles a turn from the chunks of a stream, in the order they arrive. */
export interface TurnStream<Chunk, Message> {
  /** @returns the words that this chunk added, to be shown at once; often empty */
  push(chunk: Chunk): string;
  /** The turn so far: whole when the stream has ended. */
  turn(): ModelTurn<Message>;
}
