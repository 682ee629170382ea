import type { JsonObject, JsonValue } from "../contract/json.ts";

/**
 * A call's arguments and result, from the running program's memory only: the log has neither
 * (contract §6). Both are complete: contract §1 limits a call to 64 KiB and a result to 1 MiB.
 */
export interface RecalledCall {
  readonly arguments: JsonObject;
  /** The agent's result; null while the call runs, and unless its status is `ok`. */
  readonly result: { readonly value: JsonValue } | null;
}
