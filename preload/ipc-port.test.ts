import { expect, test } from "vitest";
import { ipcPort } from "./ipc-port.ts";

type OnEvent = (electronEvent: unknown, ...args: unknown[]) => void;

function fakeIpc(invoke: (...args: unknown[]) => Promise<unknown>) {
  const channels = new Map<string, OnEvent>();
  const ipc = {
    invoke,
    on(channel: string, listener: OnEvent) {
      channels.set(channel, listener);
      return ipc;
    },
  };
  // The port uses these two methods of Electron's object and no more.
  return { ipc: ipc as unknown as Parameters<typeof ipcPort>[0], channels };
}

const narrow = {
  call: (name: string) => name === "consent.list",
  event: (name: string) => name === "consents.changed",
};

test("an allowed call goes out on the one channel for calls", async () => {
  const sent: unknown[][] = [];
  const { ipc } = fakeIpc(async (...args) => {
    sent.push(args);
    return { ok: true, result: 1 };
  });
  expect(await ipcPort(ipc, narrow).call("consent.list", {})).toEqual({ ok: true, result: 1 });
  expect(sent).toEqual([["consentry:call", "consent.list", {}]]);
});

test("a call this window does not have never leaves the page", async () => {
  let invoked = 0;
  const { ipc } = fakeIpc(async () => {
    invoked += 1;
    return { ok: true, result: null };
  });
  const reply = await ipcPort(ipc, narrow).call("permissions.revoke_all", {});
  expect(reply).toEqual({ ok: false, code: "unknown_call" });
  expect(invoked).toBe(0);
});

test("a channel that fails is a disconnected host, without the reason", async () => {
  const { ipc } = fakeIpc(async () => {
    throw new Error("details of the inside");
  });
  const reply = await ipcPort(ipc, narrow).call("consent.list", {});
  expect(reply).toEqual({ ok: false, code: "disconnected" });
});

test("a listener gets the event alone, and nothing after it stopped", () => {
  const { ipc, channels } = fakeIpc(async () => null);
  const heard: unknown[][] = [];
  const stop = ipcPort(ipc, narrow).listen("consents.changed", (...args) => heard.push(args));
  const deliver = channels.get("consentry:event");
  deliver?.({ sender: "the whole ipcRenderer" }, "consents.changed", [1]);
  stop();
  deliver?.({}, "consents.changed", [2]);
  expect(heard).toEqual([[[1]]]);
});

test("an event this window does not have reaches no listener", () => {
  const { ipc, channels } = fakeIpc(async () => null);
  const heard: unknown[] = [];
  ipcPort(ipc, narrow).listen("activity.changed", (event) => heard.push(event));
  channels.get("consentry:event")?.({}, "activity.changed", 1);
  expect(heard).toEqual([]);
});
