import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import { RECENT_ROWS, type ShownStore, withFailure, withRecent } from "./store.ts";

/** Reads the log's newest lines into the store, or the reason why they could not be read. */
export async function readRecent(bridge: ClientBridge, store: ShownStore): Promise<void> {
  store.setState(withFailure("recent", null));
  try {
    const { rows } = await bridge.call("activity.page", { limit: RECENT_ROWS });
    store.setState(withRecent(rows));
  } catch (error) {
    store.setState(withFailure("recent", errorCode(error)));
  }
}
