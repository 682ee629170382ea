import { expect, test } from "vitest";
import { type BridgePort, bridgeError } from "../../app/bridge/client-bridge.ts";
import { bridgeOver } from "./page-bridge.ts";

function portAnswering(reply: Awaited<ReturnType<BridgePort["call"]>>) {
  const listeners = new Set<(event: unknown) => void>();
  const calls: unknown[][] = [];
  const port: BridgePort = {
    call: async (...call) => {
      calls.push(call);
      return reply;
    },
    listen: (_name, listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { port, calls, tell: (event: unknown) => listeners.forEach((each) => void each(event)) };
}

test("a call passes the port unchanged and comes back with its result", async () => {
  const { port, calls } = portAnswering({ ok: true, result: null });
  const result = await bridgeOver(port).call("consent.opened", { request_id: "r1" });
  expect(result).toBeNull();
  expect(calls).toEqual([["consent.opened", { request_id: "r1" }]]);
});

test("a refused call rejects with the host's code", async () => {
  const { port } = portAnswering({ ok: false, code: "too_early" });
  await expect(bridgeOver(port).call("activity.verify", {})).rejects.toEqual(
    bridgeError("too_early"),
  );
});

test("a listener hears events until its signal aborts", () => {
  const { port, tell } = portAnswering({ ok: true, result: null });
  const heard: unknown[] = [];
  const ending = new AbortController();
  bridgeOver(port).on("hub.changed", (event) => heard.push(event), ending.signal);
  tell({ connected: true });
  ending.abort();
  tell({ connected: false });
  expect(heard).toEqual([{ connected: true }]);
});

test("a listener whose signal has already aborted is never added", () => {
  const { port, tell } = portAnswering({ ok: true, result: null });
  const heard: unknown[] = [];
  bridgeOver(port).on("hub.changed", (event) => heard.push(event), AbortSignal.abort());
  tell({ connected: true });
  expect(heard).toEqual([]);
});
