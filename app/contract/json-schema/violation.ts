/** Where a value broke its schema. Never the value: arguments hold secrets (contract §6). */
export interface SchemaViolation {
  /** RFC 6901 JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
}
