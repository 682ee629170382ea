import type { Asked, ScriptedTurn } from "./script.ts";

/** One event of a stream: its name, if the API has names, and its data. */
export interface StreamEvent {
  readonly event?: string;
  readonly data: object | string;
}

/** One of the APIs that the scripted model implements. */
export interface Wire {
  readonly path: string | RegExp;
  /** Whether the answer is a stream, where the path says so. Absent: the body does. */
  streams?(path: string): boolean;
  read(body: Readonly<Record<string, unknown>>): Asked;
  whole(turn: ScriptedTurn): object;
  stream(turn: ScriptedTurn): readonly StreamEvent[];
}

export type Loose = Readonly<Record<string, unknown>>;

export const listOf = (value: unknown): readonly Loose[] =>
  Array.isArray(value) ? (value as Loose[]) : [];

/** A message's text, whether it is a string or in parts. */
export const wordsOf = (content: unknown): string =>
  typeof content === "string"
    ? content
    : listOf(content)
        .map(({ text }) => (typeof text === "string" ? text : ""))
        .join("");
