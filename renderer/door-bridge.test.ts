import { expect, test } from "vitest";
import { BridgeError } from "../app/bridge/client-bridge.ts";
import type { Door } from "../app/bridge/door.ts";
import { bridgeFromDoor } from "./door-bridge.ts";

function doorAnswering(reply: Awaited<ReturnType<Door["call"]>>) {
  const listeners = new Set<(event: unknown) => void>();
  const calls: unknown[][] = [];
  const door: Door = {
    call: async (...call) => {
      calls.push(call);
      return reply;
    },
    listen: (_name, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { door, calls, tell: (event: unknown) => listeners.forEach((each) => void each(event)) };
}

test("a call passes the door unchanged and comes back with its result", async () => {
  const { door, calls } = doorAnswering({ ok: true, result: null });
  const result = await bridgeFromDoor(door).call("consent.opened", { request_id: "r1" });
  expect(result).toBeNull();
  expect(calls).toEqual([["consent.opened", { request_id: "r1" }]]);
});

test("a refused call rejects with the host's code", async () => {
  const { door } = doorAnswering({ ok: false, code: "too_early" });
  await expect(bridgeFromDoor(door).call("activity.verify", {})).rejects.toEqual(
    new BridgeError("too_early"),
  );
});

test("a listener hears events until its signal aborts", () => {
  const { door, tell } = doorAnswering({ ok: true, result: null });
  const heard: unknown[] = [];
  const ending = new AbortController();
  bridgeFromDoor(door).on("hub.changed", (event) => heard.push(event), ending.signal);
  tell({ connected: true });
  ending.abort();
  tell({ connected: false });
  expect(heard).toEqual([{ connected: true }]);
});

test("a listener whose signal has already aborted is never added", () => {
  const { door, tell } = doorAnswering({ ok: true, result: null });
  const heard: unknown[] = [];
  bridgeFromDoor(door).on("hub.changed", (event) => heard.push(event), AbortSignal.abort());
  tell({ connected: true });
  expect(heard).toEqual([]);
});
