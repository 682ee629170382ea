/** One step of the schema. A step that was ever released is never edited again. */
export interface Migration {
  /** `user_version` once it ran; steps are numbered from 1 without gaps. */
  readonly version: number;
  readonly sql: string;
}
