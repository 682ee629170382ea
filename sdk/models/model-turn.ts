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

/** A value that some server sent: nothing in it is certain. */
export type Loose = Readonly<Record<string, unknown>>;

export const looseObject = (value: unknown): Loose =>
  typeof value === "object" && value !== null ? (value as Loose) : {};

export const looseList = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? value.map(looseObject) : [];

export const textIn = (value: unknown): string => (typeof value === "string" ? value : "");

/** Arguments as text: some servers send them parsed. Nothing at all counts as no arguments. */
export const argumentsText = (value: unknown): string =>
  typeof value === "string" || value === undefined || value === null
    ? textIn(value)
    : JSON.stringify(value);

/** The ids of one turn's calls: the server's own, or a new one if it sent none or one twice. */
export function callIds(): (given: unknown) => string {
  const used = new Set<string>();
  return (given) => {
    const own = textIn(given);
    const id = own === "" || used.has(own) ? `call_${crypto.randomUUID()}` : own;
    used.add(id);
    return id;
  };
}

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
  /**
   * @returns the words that this chunk added, to be shown at once; often empty
   * @throws AgentError `provider_error` if the chunk is an error
   */
  push(chunk: Chunk): string;
  /** The turn so far: whole when the stream has ended. */
  turn(): ModelTurn<Message>;
}
