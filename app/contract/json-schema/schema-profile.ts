import { isJsonObject, type JsonObject, type JsonValue } from "../json.ts";

/** Subset stub: replaced below. */
export interface ProfileProblem {
  readonly pointer: string;
  readonly code: string;
}
export function schemaProfileProblems(_schema: JsonObject): readonly ProfileProblem[] {
  return isJsonObject(_schema as JsonValue) ? [] : [];
}
