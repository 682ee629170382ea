import { describe, expect, it } from "vitest";
import {
  DENIED_REASONS,
  denied,
  ERROR_CODES,
  ERROR_REASONS,
  invalidArguments,
  isTableRow,
  platformError,
  STATUSES,
  unavailable,
} from "./codes.ts";

type Row = [status: string, reason?: string | undefined, errorCode?: string];

/** contract §1: the table's rows with the codes that §§1–6 name. */
const ROWS: Row[] = [
  ["ok"],
  ["denied", "user_refused"],
  ["denied", "user_timeout"],
  ["denied", "scope_not_granted"],
  ["denied", "permission_revoked"],
  ["denied", "tool_not_declared"],
  ["denied", "tool_not_supported_in_group"],
  ["error", "schema_violation", "TOOL_INVALID_ARGUMENTS"],
  ["error", "malformed_json", "TOOL_INVALID_ARGUMENTS"],
  ["error", "call_id_reused", "TOOL_INVALID_ARGUMENTS"],
  ["error", "not_on_this_platform", "TOOL_UNAVAILABLE"],
  ["error", "scope_mismatch", "TOOL_UNAVAILABLE"],
  ["error", "consent_queue_full", "TOOL_UNAVAILABLE"],
  ["error", "tool_timeout", "TOOL_PLATFORM_ERROR"],
  ["error", "not_found", "TOOL_PLATFORM_ERROR"],
  ["error", "access_denied", "TOOL_PLATFORM_ERROR"],
  ["error", "is_a_directory", "TOOL_PLATFORM_ERROR"],
  ["error", "too_large", "TOOL_PLATFORM_ERROR"],
  ["error", "network_error", "TOOL_PLATFORM_ERROR"],
  ["error", "audit_unavailable", "TOOL_PLATFORM_ERROR"],
];

describe("the table of answers", () => {
  it.each<Row>(ROWS)("has the row %s %s %s", (status, reason, errorCode) => {
    expect(isTableRow(status, reason, errorCode)).toBe(true);
  });

  it("has the statuses, the denials and the error codes of contract §1 and no others", () => {
    expect(STATUSES).toEqual(["ok", "denied", "error"]);
    expect(DENIED_REASONS).toEqual(
      ROWS.filter(([status]) => status === "denied").map(([, reason = ""]) => reason),
    );
    expect(ERROR_CODES).toEqual([
      "TOOL_INVALID_ARGUMENTS",
      "TOOL_UNAVAILABLE",
      "TOOL_PLATFORM_ERROR",
    ]);
  });

  it("has only stable snake_case words for reasons, each under one code", () => {
    const reasons = ERROR_CODES.flatMap((code) => [...ERROR_REASONS[code]]);
    for (const reason of [...reasons, ...DENIED_REASONS]) {
      expect(reason).toMatch(/^[a-z]+(_[a-z]+)*$/);
    }
    expect(new Set(reasons).size).toBe(reasons.length);
  });

  it.each<Row>([
    ["ok", "user_refused"],
    ["ok", undefined, "TOOL_UNAVAILABLE"],
    ["denied"],
    ["denied", "tool_timeout"],
    ["denied", "user_refused", "TOOL_UNAVAILABLE"],
    ["error", "user_refused"],
    ["error", "user_refused", "TOOL_INVALID_ARGUMENTS"],
    ["error", "tool_timeout", "TOOL_UNAVAILABLE"],
    ["error", undefined, "TOOL_PLATFORM_ERROR"],
    ["error", "not_found"],
    ["error", "not_found", "TOOL_BROKEN"],
    ["OK"],
    ["", "user_refused"],
    ["__proto__"],
    ["denied", "user_rejected"],
  ])("refuses the mixed row %s %s %s", (status, reason, errorCode) => {
    expect(isTableRow(status, reason, errorCode)).toBe(false);
  });
});

describe("refusals", () => {
  it("are rows of the table", () => {
    const refusals = [
      ...DENIED_REASONS.map(denied),
      ...ERROR_REASONS.TOOL_INVALID_ARGUMENTS.map((reason) => invalidArguments(reason)),
      ...ERROR_REASONS.TOOL_UNAVAILABLE.map(unavailable),
      ...ERROR_REASONS.TOOL_PLATFORM_ERROR.map(platformError),
    ];
    for (const refusal of refusals) {
      const code = refusal.status === "error" ? refusal.error_code : undefined;
      expect(isTableRow(refusal.status, refusal.reason, code)).toBe(true);
    }
  });
});
