import Type, { type Static, type TSchema } from "typebox";
import { guardOf } from "../checked.ts";
import type { ToolFailureWord } from "../codes.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { Sensitivity } from "../scopes.ts";
import type { TargetOf } from "../target/targets.ts";

type Failures = readonly ToolFailureWord[];

/** A tool's arguments, result and failures; documents and models get each `description`. */
interface ContractFacts<Name extends string, Arguments extends TSchema, Result extends TSchema> {
  readonly name: Name;
  readonly scope: string;
  readonly leastSensitivity: Sensitivity;
  /**
   * What a quiet period covers (contract §3): everything the scope allows, the host, the folder, the
   * folder around the file, or the agent's tool; null: the person is asked each time.
   */
  readonly quiet: "scope" | "host" | "folder" | "folder_around" | "tool" | null;
  /** The client's own schema: a call must be valid under it and under the manifest's. */
  readonly arguments: Arguments;
  readonly result: Result;
  /** Besides `FAILURES_OF_EVERY_TOOL`. */
  readonly failures: Failures;
}

/**
 * The client's own view of a tool (contract §4). A manifest may be stricter, never laxer: an agent
 * that declares `read_file` under `notification:send` is refused.
 */
export interface ToolContract<
  Name extends string = string,
  Arguments extends TSchema = TSchema,
  Result extends TSchema = TSchema,
> extends ContractFacts<Name, Arguments, Result> {
  readonly acceptsArguments: (args: unknown) => args is Static<Arguments>;
  readonly isResult: (result: unknown) => result is Static<Result> & JsonValue;
  /** True for tools that access the person's folders and need a root that contains their path. */
  readonly needsRoot: boolean;
}

/** What a tool can do at worst: MCP clients show this, and some decide by it. */
export interface ToolNature {
  readonly reads_only: boolean;
  readonly destructive: boolean;
  /** Whether the same call again changes nothing more. */
  readonly idempotent: boolean;
  readonly open_world: boolean;
}

export const READS: ToolNature = {
  reads_only: true,
  destructive: false,
  idempotent: true,
  open_world: false,
};

export const CHANGES: ToolNature = {
  reads_only: false,
  destructive: true,
  idempotent: false,
  open_world: false,
};

/** Everything about a tool of the catalogue but how it does its work. */
interface OwnFacts<Arguments extends TSchema> {
  readonly nature: ToolNature;
  /** What a call is about, for the person; it need not be one that the schema takes. */
  readonly target: TargetOf;
  /** Of a tool whose paths are not just what they name: one file alone, or all that is below. */
  readonly reach?: "one_file" | "tree";
  /** Its work may take longer than the 10 s that calls have otherwise. */
  readonly takesLong?: true;
  /** A call that succeeds where `EXAMPLE_FOLDER` is what it says: tests of all tools make it. */
  readonly example: Static<Arguments> & JsonObject;
}

export interface OwnTool<
  Name extends string = string,
  Arguments extends TSchema = TSchema,
  Result extends TSchema = TSchema,
> extends ToolContract<Name, Arguments, Result>,
    OwnFacts<Arguments> {}

/** A tool of the catalogue. */
export const ownTool = <
  const Name extends string,
  Arguments extends TSchema,
  Result extends TSchema,
>(
  facts: ContractFacts<Name, Arguments, Result> & OwnFacts<Arguments>,
): OwnTool<Name, Arguments, Result> => ({ ...facts, ...toolContract(facts) });

/** The folder of the examples. In it are a file `notes.txt` with the line `Hello` and a folder `old`. */
export const EXAMPLE_FOLDER = "/home/ada/notes";

export type ArgumentsOf<Contract extends ToolContract> = Static<Contract["arguments"]>;
export type ResultOf<Contract extends ToolContract> = Readonly<Static<Contract["result"]>>;

/** Derives a tool's types, guards and catalogue row from its one description. */
export const toolContract = <
  const Name extends string,
  Arguments extends TSchema,
  Result extends TSchema,
>(
  facts: ContractFacts<Name, Arguments, Result>,
): ToolContract<Name, Arguments, Result> => ({
  ...facts,
  acceptsArguments: guardOf(facts.arguments),
  isResult: guardOf(facts.result) as ToolContract<Name, Arguments, Result>["isResult"],
  needsRoot: facts.scope.startsWith("filesystem:"),
});

/** An absolute path. */
export const pathArgument = (description: string) =>
  Type.String({ minLength: 1, maxLength: 4096, description });

/** Failures of any call, whatever its tool; no tool lists them itself. */
export const FAILURES_OF_EVERY_TOOL = [
  "tool_timeout",
  "cancelled",
  "interrupted",
  "result_expired",
  "manifest_changed",
  "agent_disconnected",
  "audit_unavailable",
  "internal_error",
] as const satisfies Failures;

/** What can go wrong with any path. */
export const PATH_FAILURES = [
  "invalid_path",
  "outside_roots",
  "not_found",
  "access_denied",
  "not_a_directory",
  "not_a_regular_file",
  "io_error",
] as const satisfies Failures;
