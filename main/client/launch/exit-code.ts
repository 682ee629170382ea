import { FlagError, HelpAsked } from "./flags.ts";

export interface Farewell {
  /** One line for the person who started the program. */
  readonly line: string;
  readonly exitCode: 0 | 1 | 2;
}

/** The exit code when the program did not start: 0 for `--help`, 2 for flags it cannot read, else 1. */
export function farewellOf(error: unknown): Farewell {
  if (error instanceof HelpAsked) return { line: error.message, exitCode: 0 };
  if (error instanceof FlagError) return { line: oneLine(error.message), exitCode: 2 };
  if (error instanceof Error && "code" in error && typeof error.code === "string") {
    const said = error.message === error.code ? "" : `: ${oneLine(error.message)}`;
    return { line: `Consentry could not start (${error.code})${said}`, exitCode: 1 };
  }
  const name = error instanceof Error ? error.name : typeof error;
  // The message of an unknown error may contain what must not be printed (docs/threat-model.md).
  return { line: `Consentry could not start (internal_error: ${name})`, exitCode: 1 };
}

const oneLine = (text: string): string => text.replace(/\s+/gu, " ").trim();
