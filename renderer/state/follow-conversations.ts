import { errorCode } from "../bridge/error-code.ts";
import type { FollowPorts } from "./follow-host.ts";

/** Keeps the list of conversations equal to what the host says: all of it at every (re)connect. */
export function followConversations({
  bridge,
  store,
  onFailure,
  signal,
}: Omit<FollowPorts, "now" | "beforeDrawing">): void {
  let told = 0;
  bridge.on(
    "conversations.changed",
    (conversations) => {
      told += 1;
      store.setState({ conversations });
    },
    signal,
  );
  async function refresh(): Promise<void> {
    const before = told;
    try {
      const conversations = await bridge.call("conversations.list", {});
      // What was told in the meantime is newer.
      if (before === told && !signal.aborted) store.setState({ conversations });
    } catch (error) {
      onFailure(errorCode(error));
    }
  }
  const onConnection = (): void => {
    if (bridge.connection() === "connected") void refresh();
  };
  bridge.onConnection(onConnection, signal);
  onConnection();
}
