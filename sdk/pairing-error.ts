import type { ManifestRemark } from "./manifest-remarks.ts";

const PAIRING_ERRORS = [
  "refused",
  "expired",
  "too_many",
  /** Not 1 to 64 characters, or none of them visible. */
  "name_invalid",
  "manifest_invalid",
  "key_mismatch",
  "aborted",
  "hub_unreachable",
  "hub_refused",
] as const;
export type PairingErrorCode = (typeof PAIRING_ERRORS)[number];

export interface PairingErrorDetails {
  /** For `manifest_invalid`: what is wrong, each with its JSON Pointer into the manifest. */
  readonly problems?: readonly ManifestRemark[];
  /** For `manifest_invalid` and `hub_refused`: the hub's own code. */
  readonly hubCode?: string;
}

/**
 * The pairing ended without an agent. `hub_refused`: the hub did not accept the request; `hubCode` says why.
 * `key_mismatch`: the hub showed a key of the person's and delivered another, or one that is none.
 */
export class PairingError extends Error {
  override readonly name = "PairingError";
  readonly code: PairingErrorCode;
  readonly problems: readonly ManifestRemark[];
  readonly hubCode: string | undefined;
  constructor(code: PairingErrorCode, details: PairingErrorDetails = {}) {
    super(code);
    this.code = code;
    this.problems = details.problems ?? [];
    this.hubCode = details.hubCode;
  }
}
