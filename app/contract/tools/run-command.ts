import Type from "typebox";
import type { Sandbox } from "../consent-preview.ts";

/**
 * Bytes of standard output and standard error together. One more ends the command with
 * `too_large`. As JSON neither stream takes more than twice its bytes, so both fit a result.
 */
export const COMMAND_MAX_OUTPUT_BYTES = 512_000;
export const COMMAND_MAX_ARGUMENTS = 256;
/** UTF-16 units of `stdin`; the call's own limit of 65,536 bytes comes first for other text. */
export const COMMAND_MAX_STDIN_CHARS = 65_536;

/** No argument of any program can hold a NUL (execve(2)). */
const argument = Type.String({ maxLength: 65_536, pattern: "^[^\\u0000]*$" });

/**
 * A program and its arguments, never a line for a shell: nothing in them is split, expanded or
 * interpreted. A non-zero exit is a result, not a failure.
 *
 * The program's environment is these variables and no others:
 * `PATH` (a fixed list), `PWD` (the directory), `HOME`, `TMPDIR`, `LANG`, `LC_*` and `TZ` (the
 * person's own), `TERM=dumb`, `SHLVL=1`, and `CONSENTRY_COMMAND`, a random word by which what the program
 * left behind is found. On Windows: `PATH`, `PATHEXT`, `SystemRoot`, `SystemDrive`, `windir`,
 * `ComSpec`, `ProgramFiles`, `ProgramData`, `USERPROFILE`, `APPDATA`, `LOCALAPPDATA`, `TEMP`,
 * `TMP`, `CONSENTRY_COMMAND`, and what the system adds itself.
 */
export const runCommandSchema = Type.Object(
  {
    /** The program, then its arguments. An absolute path, or a bare name that is looked for in fixed folders. */
    argv: Type.Array(argument, { minItems: 1, maxItems: COMMAND_MAX_ARGUMENTS }),
    /** Absolute path of the working directory, inside a root that the agent may write. */
    directory: Type.String({ minLength: 1, maxLength: 4096 }),
    /** Whether the command may reach the network; false unless said. Where no sandbox can cut it off, the person is told so. */
    network: Type.Optional(Type.Boolean()),
    /** Standard input, as UTF-8; empty unless said. */
    stdin: Type.Optional(Type.String({ maxLength: COMMAND_MAX_STDIN_CHARS })),
  },
  { additionalProperties: false },
);
export type RunCommandArguments = Type.Static<typeof runCommandSchema>;

/** `base64` for what is not UTF-8, or would be over twice as long as JSON (control characters). */
export type StreamEncoding = "utf-8" | "base64";

export interface RunCommandResult {
  /** Null when a signal ended the program. */
  readonly exit_code: number | null;
  /**
   * The signal's name, such as `SIGSEGV`, or null. Under bubblewrap always null: there a signal
   * is the exit code 128 + its number, as shells have it.
   */
  readonly signal: string | null;
  readonly stdout: string;
  readonly stdout_encoding: StreamEncoding;
  readonly stderr: string;
  readonly stderr_encoding: StreamEncoding;
  /** From the start of the program to the end of everything it had started. */
  readonly duration_ms: number;
  /** What kept the program in; null: nothing did. */
  readonly sandbox: Sandbox | null;
}
