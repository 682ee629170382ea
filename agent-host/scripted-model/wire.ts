import type { Asked, ScriptedTurn } from "./script.ts";

/** One event of a stream: its name, where the API names them, and its data. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: object | string;
}

/** One of the APIs that the scripted model speaks. */
export interface Wire {
  readonly path: string;
  read(body: Readonly<Record<string, unknown>>): Asked;
  whole(turn: ScriptedTurn): object;
  stream(turn: ScriptedTurn): readonly StreamEvent[];
}

export type Loose = Readonly<Record<string, unknown>>;

export const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? (value as Loose[]) : [];

/** A message's words, whether they stand as text or as parts. */
export const wordsOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map(({ text }) => (typeof text === "string" ? text : ""))
        .join("");
