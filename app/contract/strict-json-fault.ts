export const STRICT_JSON_FAULTS = [
  "not_utf8",
  "syntax",
  "duplicate_key",
  "lone_surrogate",
  "unsafe_integer",
  "number_overflow",
  "too_deep",
  "too_large",
] as const;
export type StrictJsonFault = (typeof STRICT_JSON_FAULTS)[number];

/** Why a text is not strict JSON. Carries no part of the text: it may hold somebody's secrets. */
export class StrictJsonError extends Error {
  override readonly name = "StrictJsonError";
  readonly code: StrictJsonFault;
  constructor(code: StrictJsonFault) {
    super(code);
    this.code = code;
  }
}
