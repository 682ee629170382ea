import Type, { type Static, type TSchema } from "typebox";
import { guardOf } from "../checked.ts";
import type { ToolFailureWord } from "../codes.ts";
import type { JsonValue } from "../json.ts";
import type { Sensitivity } from "../sensitivity.ts";

type Failures = readonly ToolFailureWord[];

/** What a tool takes, gives and fails with; each `description` is what documents and models are told. */
interface ToolFacts<Name extends string, Arguments extends TSchema, Result extends TSchema> {
  readonly name: Name;
  readonly scope: string;
  readonly leastSensitivity: Sensitivity;
  /**
   * What a quiet period covers (contract §3): all the scope allows, the host, the folder, or the
   * folder around the file; null: the person is asked each time.
   */
  readonly quiet: "scope" | "host" | "folder" | "folder_around" | null;
  /** The client's own: a call has to pass it as well as the manifest's. */
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
  /** True for tools that see folders of the person's and need a root that contains their path. */
  readonly needsRoot: boolean;
}

export type ArgumentsOf<Contract extends ToolContract> = Static<Contract["arguments"]>;
export type ResultOf<Contract extends ToolContract> = Readonly<Static<Contract["result"]>>;

/** All that is known of a tool from what is said of it once: its types, its guards, its row. */
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

/** What any call can meet, whatever its tool. Said once, and in no tool's own list. */
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
