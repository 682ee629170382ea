import type { BridgeErrorCode, ClientBridge } from "../../app/bridge/client-bridge.ts";
import type { ActivityRow } from "../../app/bridge/views.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import type { ConnectedBridge } from "../bridge/web-bridge.ts";
import {
  RECENT_ROWS,
  received,
  receivedDenials,
  type ShownStore,
  withFailure,
  withPart,
  withRecent,
  withRow,
  withSnapshot,
} from "./store.ts";

export interface FollowPorts {
  readonly bridge: ConnectedBridge;
  readonly store: ShownStore;
  /** Monotonic milliseconds. */
  readonly now: () => number;
  /** Runs it once before the next frame; not while no frames are drawn. */
  readonly beforeDrawing: (run: () => void) => void;
  readonly onFailure: (code: BridgeErrorCode) => void;
  readonly signal: AbortSignal;
}

/** Parts of the snapshot whose events have all of the part. */
const WHOLE_PARTS = [
  ...(["agents", "pairings", "settings", "notices", "login_start", "updates", "hub"] as const),
  ...(["sample_agent", "model", "keys", "running", "turned_away", "missed"] as const),
];

/** Keeps the store in sync with the host: a snapshot at every (re)connect, then its events. */
export function followHost(ports: FollowPorts): void {
  const { bridge, store, now, onFailure, signal } = ports;
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
  bridge.on(
    "denials.changed",
    (denials) => setState({ denials: receivedDenials(denials, now()) }),
    signal,
  );
  bridge.on("paused.changed", ({ paused }) => setState(withPart({ paused })), signal);
  for (const part of WHOLE_PARTS) {
    bridge.on(`${part}.changed`, (changed) => setState(withPart({ [part]: changed })), signal);
  }
  bridge.on("activity.changed", recentRows(ports), signal);
  bridge.on("conversation.shown", (conversation) => setState({ conversation }), signal);

  async function refresh(): Promise<void> {
    try {
      const snapshot = await bridge.call("app.snapshot", {});
      setState(withSnapshot(snapshot, now()));
      await readRecent(bridge, store);
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

/** Collects lines and renders them once per frame, because a flood brings hundreds at once. */
function recentRows({ store, beforeDrawing }: FollowPorts): (row: ActivityRow) => void {
  let fresh: readonly ActivityRow[] = [];
  const draw = (): void => {
    const rows = fresh;
    fresh = [];
    store.setState(withRecent(rows));
  };
  return (row) => {
    if (fresh.length === 0) beforeDrawing(draw);
    fresh = withRow(fresh, row).slice(0, RECENT_ROWS);
  };
}

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
