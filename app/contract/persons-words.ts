import { LIMITS } from "./limits.ts";

/** Control, format and unassigned characters, except line breaks and the two joiners that scripts need. */
const UNSEEN = /(?![\n\u200c\u200d])\p{C}/gu;

/**
 * What the person adds to a denial for the agent, as it is sent (contract §3): well-formed, without
 * characters that nobody sees, at most `LIMITS.personsWordsChars` long. Undefined: nothing is left of it.
 */
export function personsWords(typed: string): string | undefined {
  const seen = typed
    .toWellFormed()
    .replace(/\r\n?|[\u2028\u2029]/g, "\n")
    .replace(/\t/g, " ")
    .replace(UNSEEN, "")
    .trim();
  // Cut between characters: half of a pair would make the answer unreadable.
  const kept = seen
    .slice(0, LIMITS.personsWordsChars)
    .toWellFormed()
    .replace(/\ufffd$/, "")
    .trim();
  return kept === "" ? undefined : kept;
}

/** Whether an answer carries them as a client may send them. */
export const arePersonsWords = (value: unknown): value is string =>
  typeof value === "string" && personsWords(value) === value;
