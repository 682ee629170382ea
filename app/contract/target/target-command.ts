import { cutText } from "../cut-text.ts";

/** A command as a heading draws it: its words with a space between them. */
export interface TargetCommand {
  readonly kind: "command";
  readonly text: string;
  /** Whether that tells exactly which words there are. */
  readonly whole: boolean;
}

/** UTF-16 units that a heading has room for. */
const COMMAND_CHARS = 120;

/** A word that ends where the next space is, and one that quotes can hold together. */
const PLAIN = /^[^\s\p{C}"]+$/u;
const QUOTABLE = /^[^\p{C}"\\]*$/u;

export function targetCommand(argv: readonly string[]): TargetCommand {
  const text = argv.map((word) => (PLAIN.test(word) ? word : `"${word}"`)).join(" ");
  const clear = argv.every((word) => PLAIN.test(word) || QUOTABLE.test(word));
  const fits = text.length <= COMMAND_CHARS;
  return {
    kind: "command",
    text: fits ? text : `${cutText(text, COMMAND_CHARS)}…`,
    whole: clear && fits,
  };
}
