import type { ModelCall } from "./model-call.ts";

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
