/** One step of the schema. A step that was ever released is never edited again. */
export interface Migration {
  /** `user_version` once it ran; each step's is greater than the one before. */
  readonly version: number;
  readonly sql: string;
}
