import { type Fitted, fitted } from "./room.ts";

/** A command as a heading shows it: its arguments with a space between them. */
export interface TargetCommand extends Fitted {
  readonly kind: "command";
  /** Whether `text` shows exactly which arguments there are. */
  readonly whole: boolean;
}

const COMMAND_ROOM = 120;

/** Stands for a line break; every font has it. */
const BREAK = "¶";

/** An argument without spaces, and one that can be quoted. Neither has the sign of its own. */
const PLAIN = /^[^\s\p{C}"¶]+$/u;
const QUOTABLE = /^[^\p{C}"\\¶]*$/u;

export function targetCommand(argv: readonly string[]): TargetCommand {
  const line = argv
    .map((word) => (PLAIN.test(word) ? word : `"${word}"`))
    .join(" ")
    // A heading is one line; the arguments, which are not left out then, show the breaks.
    .replace(/\s*\n\s*/g, ` ${BREAK} `);
  const clear = argv.every((word) => PLAIN.test(word) || QUOTABLE.test(word));
  const { text, whole } = fitted(line, COMMAND_ROOM);
  return { kind: "command", text, whole: whole && clear };
}
