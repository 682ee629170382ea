import { assertNever } from "./assert-never.ts";
import type { SchemaViolation } from "./json-schema/schema-violation.ts";

/**
 * The table of all answers to a tool call (contract §1). Every other list of statuses, reasons or
 * error codes in the project is derived from it.
 */
export const DENIED_REASONS = [
  "user_refused",
  "user_timeout",
  "scope_not_granted",
  "permission_revoked",
  "tool_not_declared",
  "tool_not_supported_in_group",
] as const;

export const ERROR_CODES = [
  "TOOL_INVALID_ARGUMENTS",
  "TOOL_UNAVAILABLE",
  "TOOL_PLATFORM_ERROR",
] as const;

/** The `reason` codes of each error code. They are stable: agents branch on them. */
export const ERROR_REASONS = {
  TOOL_INVALID_ARGUMENTS: [
    "malformed_json",
    "malformed_call",
    "payload_too_large",
    "schema_violation",
    "schema_unusable",
    "schema_undecided",
    "call_id_reused",
  ],
  TOOL_UNAVAILABLE: [
    "not_on_this_platform",
    "no_provider",
    "switched_off",
    "scope_mismatch",
    "consent_queue_full",
    "overloaded",
  ],
  TOOL_PLATFORM_ERROR: [
    "tool_timeout",
    "not_found",
    "access_denied",
    "outside_roots",
    "is_a_directory",
    "not_a_directory",
    "not_a_regular_file",
    "not_text",
    "too_large",
    "already_exists",
    "directory_not_empty",
    "is_a_root",
    "different_volume",
    "disk_full",
    "text_not_found",
    "text_not_unique",
    "changed_since_shown",
    "own_data_linked",
    "trash_unavailable",
    "program_not_found",
    "network_error",
    "invalid_path",
    "io_error",
    "clipboard_error",
    "clipboard_empty",
    "not_an_image",
    "notification_error",
    "location_error",
    "no_fix",
    "audit_unavailable",
    "agent_disconnected",
    "manifest_changed",
    "cancelled",
    "interrupted",
    "result_expired",
    "internal_error",
  ],
} as const satisfies Record<(typeof ERROR_CODES)[number], readonly string[]>;

export const REASONS = [
  ...DENIED_REASONS,
  ...ERROR_REASONS.TOOL_INVALID_ARGUMENTS,
  ...ERROR_REASONS.TOOL_UNAVAILABLE,
  ...ERROR_REASONS.TOOL_PLATFORM_ERROR,
] as const;

export type DeniedReason = (typeof DENIED_REASONS)[number];
export type ErrorCode = (typeof ERROR_CODES)[number];
export type ErrorReason = (typeof ERROR_REASONS)[ErrorCode][number];
export type ToolFailureWord = (typeof ERROR_REASONS)["TOOL_PLATFORM_ERROR"][number];

export const STATUSES = ["ok", "denied", "error"] as const;
export type Status = (typeof STATUSES)[number];

/** A refusal: a row of the table as one value. */
export type Refusal =
  | {
      readonly status: "denied";
      readonly reason: DeniedReason;
      /** With `user_refused`: what the person told the agent. Never for the log. */
      readonly message?: string;
    }
  | {
      [C in ErrorCode]: {
        readonly status: "error";
        readonly error_code: C;
        readonly reason: (typeof ERROR_REASONS)[C][number];
        /** With `schema_violation`: for the agent, never for the log. */
        readonly violation?: SchemaViolation;
      };
    }[ErrorCode];

export const denied = (reason: DeniedReason): Refusal => ({ status: "denied", reason });

/** @param message the person's words for the agent; undefined: none */
export const refusedByPerson = (message?: string): Refusal => ({
  ...denied("user_refused"),
  ...(message === undefined ? {} : { message }),
});

export const invalidArguments = (
  reason: (typeof ERROR_REASONS)["TOOL_INVALID_ARGUMENTS"][number],
  violation?: SchemaViolation,
): Refusal => ({
  status: "error",
  error_code: "TOOL_INVALID_ARGUMENTS",
  reason,
  ...(violation === undefined ? {} : { violation }),
});

export const unavailable = (
  reason: (typeof ERROR_REASONS)["TOOL_UNAVAILABLE"][number],
): Refusal => ({ status: "error", error_code: "TOOL_UNAVAILABLE", reason });

export const platformError = (reason: ToolFailureWord): Refusal => ({
  status: "error",
  error_code: "TOOL_PLATFORM_ERROR",
  reason,
});

/** True when the three codes form a row of the table. */
export function isTableRow(status: string, reason?: string, errorCode?: string): boolean {
  const known = STATUSES.find((word) => word === status);
  if (known === undefined) return false;
  switch (known) {
    case "ok":
      return reason === undefined && errorCode === undefined;
    case "denied":
      return errorCode === undefined && DENIED_REASONS.some((word) => word === reason);
    case "error": {
      const code = ERROR_CODES.find((word) => word === errorCode);
      return code !== undefined && ERROR_REASONS[code].some((word) => word === reason);
    }
    default:
      return assertNever(known);
  }
}
