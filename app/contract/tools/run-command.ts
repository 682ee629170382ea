import Type from "typebox";
import { SANDBOXES } from "../consent-preview.ts";
import type { JsonValue } from "../json.ts";
import { marksOfWords } from "../target/path-marks.ts";
import { targetCommand, targetLine } from "../target/target.ts";
import { pathOf, type TargetOf } from "../target/targets.ts";
import {
  type ArgumentsOf,
  CHANGES,
  EXAMPLE_FOLDER,
  ownTool,
  PATH_FAILURES,
  pathArgument,
  type ResultOf,
} from "./tool-contract.ts";

/**
 * Bytes of standard output and standard error together. One more ends the command with
 * `too_large`. As JSON neither stream takes more than twice its bytes, so both fit a result.
 */
export const COMMAND_MAX_OUTPUT_BYTES = 512_000;
const COMMAND_MAX_ARGUMENTS = 256;
/** UTF-16 units of `stdin`; the call's own limit of 65,536 bytes comes first for other text. */
const COMMAND_MAX_STDIN_CHARS = 65_536;

/** No argument of any program can hold a NUL (execve(2)). */
const argument = Type.String({
  maxLength: 65_536,
  pattern: "^[^\\u0000]*$",
  description: "Any text without NUL.",
});

const streamEncoding = () =>
  Type.Union([Type.Literal("utf-8"), Type.Literal("base64")], {
    description:
      "`base64` for what is not UTF-8, or would be over twice as long as JSON (control characters).",
  });
export type StreamEncoding = Type.Static<ReturnType<typeof streamEncoding>>;

/**
 * A program and its arguments, never a shell command line: nothing in them is split, expanded or
 * interpreted. A non-zero exit is a result, not a failure.
 *
 * The program's environment is these variables and no others:
 * `PATH` (a fixed list), `PWD` (the directory), `HOME`, `TMPDIR`, `LANG`, `LC_*` and `TZ` (the
 * person's own), `TERM=dumb`, `SHLVL=1`, and `CONSENTRY_COMMAND`, a random value by which processes that
 * the program left behind are found. On Windows: `PATH`, `PATHEXT`, `SystemRoot`, `SystemDrive`, `windir`,
 * `ComSpec`, `ProgramFiles`, `ProgramData`, `USERPROFILE`, `APPDATA`, `LOCALAPPDATA`, `TEMP`,
 * `TMP`, `CONSENTRY_COMMAND`, and what the system adds itself.
 */
const target: TargetOf = (call) => {
  const { line, directory } = call.arguments;
  const folder = pathOf(call, "directory", 2);
  const argv = typeof line === "string" ? line.split(" ") : call.arguments.argv;
  if (folder === null || typeof directory !== "string" || !isTexts(argv)) return null;
  const command = typeof line === "string" ? targetLine(line) : targetCommand(argv);
  return {
    kind: "run",
    parts: { command, path: folder.path },
    count: null,
    marks: [...new Set([...folder.marks, ...marksOfWords(argv, directory, call.folders)])],
    says: [...folder.says, ...(command.whole ? [typeof line === "string" ? "line" : "argv"] : [])],
  };
};

const isTexts = (value: JsonValue | undefined): value is string[] =>
  Array.isArray(value) && value.length > 0 && value.every((each) => typeof each === "string");

export const runCommand = ownTool({
  name: "run_command",
  scope: "shell:exec",
  leastSensitivity: "high",
  quiet: null,
  nature: { ...CHANGES, open_world: true },
  target,
  takesLong: true,
  example: { argv: ["true"], directory: EXAMPLE_FOLDER },
  arguments: Type.Object(
    {
      argv: Type.Array(argument, {
        minItems: 1,
        maxItems: COMMAND_MAX_ARGUMENTS,
        description:
          "The program, then its arguments. The program is an absolute path, or a bare name that is looked for in fixed folders.",
      }),
      directory: pathArgument(
        "Absolute path of the working directory, inside a root that the agent may write to, or the root itself.",
      ),
      network: Type.Optional(
        Type.Boolean({
          default: false,
          description:
            "Whether the command may reach the network. Where no sandbox can cut it off, the person is told so.",
        }),
      ),
      stdin: Type.Optional(
        Type.String({
          maxLength: COMMAND_MAX_STDIN_CHARS,
          default: "",
          description: "Standard input, as UTF-8.",
        }),
      ),
    },
    {
      additionalProperties: false,
      description: `Runs a program with its arguments, never a line for a shell: nothing in them is split, expanded or interpreted. A non-zero exit is a result, not a failure. More than ${COMMAND_MAX_OUTPUT_BYTES} bytes of output are \`too_large\`.`,
    },
  ),
  result: Type.Object(
    {
      exit_code: Type.Union([Type.Integer(), Type.Null()], {
        description: "Null when a signal ended the program.",
      }),
      signal: Type.Union([Type.String(), Type.Null()], {
        description:
          "The signal's name, such as `SIGSEGV`, or null. Under bubblewrap always null: there a signal is the exit code 128 + its number, as shells have it.",
      }),
      stdout: Type.String({ description: "Standard output." }),
      stdout_encoding: streamEncoding(),
      stderr: Type.String({ description: "Standard error." }),
      stderr_encoding: streamEncoding(),
      duration_ms: Type.Integer({
        minimum: 0,
        description: "From the start of the program to the end of everything it had started.",
      }),
      sandbox: Type.Union([Type.Enum(SANDBOXES), Type.Null()], {
        description: "What kept the program in; null: nothing did.",
      }),
    },
    { additionalProperties: false },
  ),
  failures: [
    ...PATH_FAILURES,
    "program_not_found",
    "too_large",
    "changed_since_shown",
    "own_data_linked",
  ],
});
export type RunCommandResult = ResultOf<typeof runCommand>;
export type RunCommandArguments = ArgumentsOf<typeof runCommand>;
