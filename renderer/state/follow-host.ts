import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { errorCode } from "../bridge/error-code.ts";
import type { ConnectedBridge } from "../bridge/web-bridge.ts";
import {
  RECENT_ROWS,
  received,
  type ShownStore,
  withPart,
  withRecent,
  withSnapshot,
} from "./store.ts";

export interface FollowPorts {
  readonly bridge: ConnectedBridge;
  readonly store: ShownStore;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  readonly onFailure: (code: BridgeErrorCode) => void;
  readonly signal: AbortSignal;
}

/** Keeps the store equal to what the host says: a snapshot at every (re)connect, then its events. */
export function followHost({ bridge, store, now, onFailure, signal }: FollowPorts): void {
  const { setState } = store;
  bridge.on(
    "consents.changed",
    (cards) =>
      setState({
        ...withPart({ consents: cards })(store.getState()),
        consents: received(cards, now()),
      }),
    signal,
  );
  bridge.on("agents.changed", (agents) => setState(withPart({ agents })), signal);
  bridge.on("pairings.changed", (pairings) => setState(withPart({ pairings })), signal);
  bridge.on("settings.changed", (settings) => setState(withPart({ settings })), signal);
  bridge.on("notices.changed", (notices) => setState(withPart({ notices })), signal);
  bridge.on("paused.changed", ({ paused }) => setState(withPart({ paused })), signal);
  bridge.on("login_start.changed", (state) => setState(withPart({ login_start: state })), signal);
  bridge.on("hub.changed", (hub) => setState(withPart({ hub_connected: hub.connected })), signal);
  bridge.on("sample_agent.changed", (state) => setState(withPart({ sample_agent: state })), signal);
  bridge.on("keys.changed", (keys) => setState(withPart({ keys })), signal);
  bridge.on("running.changed", (running) => setState(withPart({ running })), signal);
  bridge.on("missed.changed", (missed) => setState(withPart({ missed })), signal);
  bridge.on("activity.changed", (row) => setState(withRecent(row)), signal);
  bridge.on("conversation.shown", (conversation) => setState({ conversation }), signal);

  async function refresh(): Promise<void> {
    try {
      const snapshot = await bridge.call("app.snapshot", {});
      setState(withSnapshot(snapshot, now()));
      const page = await bridge.call("activity.page", { limit: RECENT_ROWS });
      for (const row of page.rows) setState(withRecent(row));
    } catch (error) {
      onFailure(errorCode(error));
    }
  }
  const onConnection = (): void => {
    const connection = bridge.connection();
    setState({ connection });
    if (connection === "connected") void refresh();
  };
  bridge.onConnection(onConnection, signal);
  onConnection();
}
