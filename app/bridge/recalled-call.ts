import type { JsonObject, JsonValue } from "../contract/json.ts";

/**
 * What a call carried, from the running program's memory alone: the log has none of it (contract §6).
 * Both parts are whole: contract §1 bounds a call at 64 KiB and a result at 1 MiB.
 */
export interface RecalledCall {
  readonly arguments: JsonObject;
  /** What the agent was given; null while the call runs, and where it did not end ok. */
  readonly result: { readonly value: JsonValue } | null;
}
