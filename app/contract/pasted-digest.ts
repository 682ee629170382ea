import { digestOf } from "./digest.ts";
import { isJsonObject } from "./json.ts";
import {
  parseStrictJson,
  type StrictJsonError,
  type StrictJsonFault,
  strictJsonError,
} from "./strict-json.ts";
import { syntaxPosition } from "./syntax-position.ts";

/** Bytes of a pasted text: a call's 64 KiB (contract §1), laid out for reading. */
export const PASTED_BYTES = 1_048_576;

const PASTED_PROBLEMS = ["not_an_object"] as const;
type PastedProblem = StrictJsonFault | (typeof PASTED_PROBLEMS)[number];

export type PastedDigest =
  | { readonly digest: string }
  | {
      readonly problem: PastedProblem;
      /** From 1, in UTF-16 units; null where the whole text is at fault. */
      readonly line: number | null;
      readonly column: number | null;
    };

/**
 * The `arguments_digest` (contract §6) of pasted arguments, to be compared with that of a log entry.
 * The result contains no part of the text.
 */
export function pastedDigest(text: string): PastedDigest {
  try {
    const value = parseStrictJson(text, PASTED_BYTES);
    if (isJsonObject(value)) return { digest: digestOf(value) };
    return problemAt("not_an_object", text, text.search(/[^ \t\n\r]/));
  } catch (error) {
    if (!strictJsonError.is(error)) throw error;
    return problemAt(error.code, text, positionOf(error, text));
  }
}

function positionOf({ code, details }: StrictJsonError, text: string): number | null {
  if (typeof details === "number") return details;
  if (code === "syntax") return syntaxPosition(text);
  if (code !== "lone_surrogate") return null;
  const at = text.search(/\p{Surrogate}/u);
  return at === -1 ? null : at;
}

function problemAt(problem: PastedProblem, text: string, position: number | null): PastedDigest {
  if (position === null) return { problem, line: null, column: null };
  const before = text.slice(0, position).split(/\r\n|\n|\r/);
  return { problem, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
