import type { ManifestRemark } from "./manifest-remarks.ts";

const MANIFEST_ERRORS = [
  "manifest_invalid",
  "invalid_token",
  /** The person has removed this agent. */
  "agent_removed",
  "hub_unreachable",
  "hub_refused",
] as const;
export type ManifestErrorCode = (typeof MANIFEST_ERRORS)[number];

/** The manifest was not replaced. */
export class ManifestError extends Error {
  override readonly name = "ManifestError";
  readonly code: ManifestErrorCode;
  /** For `manifest_invalid`: what is wrong. Empty if it is too large. */
  readonly problems: readonly ManifestRemark[];
  constructor(code: ManifestErrorCode, problems: readonly ManifestRemark[] = []) {
    super(code);
    this.code = code;
    this.problems = problems;
  }
}
