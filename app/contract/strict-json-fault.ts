const STRICT_JSON_FAULTS = [
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
  /** Offset of the token at fault, in UTF-16 units; null where no single one is known. */
  readonly position: number | null;
  constructor(code: StrictJsonFault, position: number | null = null) {
    super(code);
    this.code = code;
    this.position = position;
  }
}
