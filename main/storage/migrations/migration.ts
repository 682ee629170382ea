/** One step of the schema. Once released, it is never edited again. */
export interface Migration {
  /** `user_version` after the step; higher than that of the previous one. */
  readonly version: number;
  readonly sql: string;
}
