import type { TSchema } from "typebox";
import type { ToolFailureWord } from "../codes.ts";

type Failures = readonly ToolFailureWord[];

/** What a tool takes, gives and fails with; each `description` is what documents and models are told. */
export interface ToolContract {
  readonly arguments: TSchema;
  readonly result: TSchema;
  /** Besides `FAILURES_OF_EVERY_TOOL`. */
  readonly failures: Failures;
}

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
