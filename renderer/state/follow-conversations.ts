import type { ClientBridge } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import type { FollowPorts } from "./follow-host.ts";
import { type ShownStore, withFailure } from "./store.ts";

/** Keeps the list of conversations in sync with the host: read completely at every (re)connect. */
export function followConversations({
  bridge,
  store,
  signal,
}: Pick<FollowPorts, "bridge" | "store" | "signal">): void {
  bridge.on("conversations.changed", (conversations) => store.setState({ conversations }), signal);
  const onConnection = (): void => {
    if (bridge.connection() === "connected") void readConversations(bridge, store);
  };
  bridge.onConnection(onConnection, signal);
  onConnection();
}

/** Reads the list into the store, or the reason why it could not be read. */
export async function readConversations(bridge: ClientBridge, store: ShownStore): Promise<void> {
  const before = store.getState().conversations;
  store.setState(withFailure("conversations", null));
  try {
    const conversations = await bridge.call("conversations.list", {});
    // Updates received in the meantime are newer.
    if (store.getState().conversations === before) store.setState({ conversations });
  } catch (error) {
    store.setState(withFailure("conversations", errorCode(error)));
  }
}
