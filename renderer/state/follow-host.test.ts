import { expect, test } from "vitest";
import type { Snapshot } from "../../app/bridge/views.ts";
import { createWebBridge, type SocketListener } from "../bridge/web-bridge.ts";
import { followHost } from "./follow-host.ts";
import { createShownStore } from "./store.ts";

const snapshot: Snapshot = {
  host: "browser",
  version: "0.1.0",
  hub: { url: "http://127.0.0.1:1", own: true, connected: false, fault: null },
  data_dir: "/d",
  settings: {
    language: null,
    theme: "system",
    consent_timeout_ms: 30_000,
    profile: "everyday",
    notifications: true,
    log_targets: true,
    keep_files: true,
    shortcut: null,
    updates: true,
    update_channel: "stable",
  },
  paused: false,
  login_start: null,
  updates: null,
  policy: null,
  agents: [],
  pairings: [],
  consents: [],
  denials: [],
  running: [],
  turned_away: { agents: [], others: 0 },
  missed: { requests: [], more: 0 },
  folder_picker: false,
  notices: [],
  sample_agent: { state: "idle", code: null },
  model: null,
  keys: { agents: [], pairings: [], restart_needed: false },
};

function linked() {
  let listener: SocketListener | undefined;
  const snapshots: number[] = [];
  const bridge = createWebBridge({
    openSocket: (given) => {
      listener = given;
      const say = (frame: unknown) => given.message(JSON.stringify(frame));
      return {
        close: () => {},
        send: (text) => {
          const frame = JSON.parse(text) as { type: string; id: number; name: string };
          if (frame.type === "hello") return say({ type: "welcome", session: "s" });
          if (frame.name === "app.snapshot") snapshots.push(frame.id);
          const result =
            frame.name === "app.snapshot" ? snapshot : { rows: [], next_before_seq: null };
          queueMicrotask(() => say({ type: "reply", id: frame.id, reply: { ok: true, result } }));
        },
      };
    },
    key: { token: () => "t", keep: () => {}, forget: () => {} },
    after: (_delay, task) => task(),
  });
  const store = createShownStore(bridge.connection());
  const failures: string[] = [];
  const drawings: (() => void)[] = [];
  const ending = new AbortController();
  followHost({
    bridge,
    store,
    now: () => 77,
    beforeDrawing: (run) => drawings.push(run),
    onFailure: (code) => failures.push(code),
    signal: ending.signal,
  });
  return { store, snapshots, failures, drawings, ending, socket: () => listener };
}
const settled = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await Promise.resolve();
};

test("every connection brings a fresh snapshot, and events change it from there", async () => {
  const { store, snapshots, failures, socket } = linked();
  socket()?.opened();
  await settled();
  expect(store.getState().connection).toBe("connected");
  expect(store.getState().snapshot).toEqual(snapshot);
  const event = (name: string, value: unknown) =>
    socket()?.message(JSON.stringify({ type: "event", name, event: value }));
  event("hub.changed", { connected: true });
  event("paused.changed", { paused: true });
  event("login_start.changed", "off");
  expect(store.getState().snapshot).toMatchObject({ paused: true, login_start: "off" });
  event("consents.changed", [{ request_id: "r1" }]);
  expect(store.getState().snapshot?.hub.connected).toBe(true);
  expect(store.getState().consents).toEqual([{ card: { request_id: "r1" }, received_at: 77 }]);
  socket()?.closed();
  socket()?.opened();
  await settled();
  expect(snapshots).toHaveLength(2);
  expect(store.getState().consents).toEqual([]);
  expect(failures).toEqual([]);
});

test("an event before the first snapshot changes nothing that is drawn", () => {
  const { store, socket } = linked();
  const name = "hub.changed";
  socket()?.message(JSON.stringify({ type: "event", name, event: { connected: true } }));
  expect(store.getState().snapshot).toBeNull();
});

test("nothing is followed after the signal aborts", async () => {
  const { store, ending, socket } = linked();
  ending.abort();
  socket()?.opened();
  await settled();
  expect(store.getState().snapshot).toBeNull();
});

test("a hundred lines at once change what is drawn once, to the newest of them", () => {
  const { store, drawings, socket } = linked();
  socket()?.opened();
  let changes = 0;
  store.subscribe(() => {
    changes += 1;
  });
  for (let seq = 1; seq <= 100; seq += 1) {
    const event = { line_id: seq, seq };
    socket()?.message(JSON.stringify({ type: "event", name: "activity.changed", event }));
  }
  expect([changes, drawings.length]).toEqual([0, 1]);
  drawings[0]?.();
  expect(changes).toBe(1);
  expect(store.getState().recent?.map(({ seq }) => seq)).toEqual([100, 99, 98, 97, 96, 95, 94, 93]);
});
