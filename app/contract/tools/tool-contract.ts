import Type, { type Static, type TSchema } from "typebox";
import { guardOf } from "../checked.ts";
import type { ToolFailureWord } from "../codes.ts";
import type { JsonValue } from "../json.ts";
import type { Sensitivity } from "../scopes.ts";

type Failures = readonly ToolFailureWord[];

/** A tool's arguments, result and failures; documents and models get each `description`. */
interface ToolFacts<Name extends string, Arguments extends TSchema, Result extends TSchema> {
  readonly name: Name;
  readonly scope: string;
  readonly leastSensitivity: Sensitivity;
  /**
   * What a quiet period covers (contract §3): everything the scope allows, the host, the folder, or the
   * folder around the file; null: the person is asked each time.
   */
  readonly quiet: "scope" | "host" | "folder" | "folder_around" | null;
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
> extends ToolFacts<Name, Arguments, Result> {
  readonly acceptsArguments: (args: unknown) => args is Static<Arguments>;
  readonly isResult: (result: unknown) => result is Static<Result> & JsonValue;
  /** True for tools that access the person's folders and need a root that contains their path. */
  readonly needsRoot: boolean;
}

export type ArgumentsOf<Contract extends ToolContract> = Static<Contract["arguments"]>;
export type ResultOf<Contract extends ToolContract> = Readonly<Static<Contract["result"]>>;

/** Derives a tool's types, guards and catalogue row from its one description. */
export const toolContract = <
  const Name extends string,
  Arguments extends TSchema,
  Result extends TSchema,
>(
  facts: ToolFacts<Name, Arguments, Result>,
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
