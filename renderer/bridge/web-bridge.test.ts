import { expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import { openPastedLinks, pageKey } from "./page-key.ts";
import { type BridgeKey, createWebBridge, type SocketListener } from "./web-bridge.ts";

class FakeHost {
  readonly sent: { type: string; [field: string]: unknown }[] = [];
  readonly delays: number[] = [];
  readonly kept: string[] = [];
  token: string | null = "one-time";
  sockets = 0;
  listener: SocketListener | null = null;
  retry: (() => void) | null = null;
  readonly key: BridgeKey = {
    token: () => this.token,
    keep: (session) => {
      this.kept.push(session);
      this.token = session;
    },
    forget: () => {
      this.token = null;
    },
  };

  open() {
    return createWebBridge({
      openSocket: (listener) => {
        this.sockets += 1;
        this.listener = listener;
        return { send: (text) => void this.sent.push(JSON.parse(text)), close: () => {} };
      },
      key: this.key,
      after: (delay, task) => {
        this.delays.push(delay);
        this.retry = task;
      },
    });
  }

  say(frame: unknown) {
    this.listener?.message(typeof frame === "string" ? frame : JSON.stringify(frame));
  }

  connect() {
    const bridge = this.open();
    this.listener?.opened();
    this.say({ type: "welcome", session: "s1" });
    return bridge;
  }
}
function connected() {
  const host = new FakeHost();
  return { host, bridge: host.connect() };
}

test("the first frame is the token, and the session that comes for it is kept", () => {
  const { host, bridge } = connected();
  expect(host.sent).toEqual([{ type: "hello", token: "one-time" }]);
  expect(host.kept).toEqual(["s1"]);
  expect(bridge.connection()).toBe("connected");
});

test("replies in any order reach their own calls", async () => {
  const { host, bridge } = connected();
  const one = bridge.call("consent.opened", { request_id: "r" });
  const two = bridge.call("activity.verify", {});
  expect(host.sent.slice(1)).toEqual([
    { type: "call", id: 1, name: "consent.opened", args: { request_id: "r" } },
    { type: "call", id: 2, name: "activity.verify", args: {} },
  ]);
  host.say({ type: "reply", id: 2, reply: { ok: true, result: "second" } });
  host.say({ type: "reply", id: 1, reply: { ok: false, code: "not_found" } });
  expect(await two).toBe("second");
  await expect(one).rejects.toEqual(bridgeError("not_found"));
});

test("a code that the page does not know is an internal error", async () => {
  const host = new FakeHost();
  const call = host.connect().call("activity.verify", {});
  host.say({ type: "reply", id: 1, reply: { ok: false, code: "from_the_future" } });
  await expect(call).rejects.toEqual(bridgeError("internal_error"));
});

test("a lost connection leaves open whether what was pending is done, and refuses what is asked meanwhile", async () => {
  const { host, bridge } = connected();
  const pending = bridge.call("activity.verify", {});
  host.listener?.closed();
  expect(bridge.connection()).toBe("disconnected");
  await expect(pending).rejects.toEqual(bridgeError("unanswered"));
  await expect(bridge.call("activity.verify", {})).rejects.toEqual(bridgeError("disconnected"));
});

test("a host that does not come back is given up, and nothing is tried any more", () => {
  const { host, bridge } = connected();
  host.listener?.closed();
  for (let attempt = 0; attempt < 15; attempt += 1) {
    expect(bridge.connection()).toBe("disconnected");
    host.retry?.();
    host.listener?.closed();
  }
  expect(bridge.connection()).toBe("given_up");
  expect(host.delays).toHaveLength(15);
  expect(host.sockets).toBe(16);
});

test("a host that removes all data is not looked for again", async () => {
  const { host, bridge } = connected();
  const removing = bridge.call("data.remove", {});
  host.say({ type: "event", name: "data.removed", event: null });
  host.say({ type: "reply", id: 1, reply: { ok: true, result: null } });
  expect(await removing).toBeNull();
  host.listener?.closed();
  expect(bridge.connection()).toBe("removed");
  expect(host.delays).toEqual([]);
});

test("reconnecting waits longer each time, uses the session, and tells when it worked", () => {
  const { host, bridge } = connected();
  const heard: string[] = [];
  bridge.onConnection((connection) => heard.push(connection), new AbortController().signal);
  for (let tries = 0; tries < 6; tries += 1) {
    host.listener?.closed();
    host.retry?.();
  }
  expect(host.delays).toEqual([500, 1000, 2000, 4000, 8000, 8000]);
  host.listener?.opened();
  expect(host.sent.at(-1)).toEqual({ type: "hello", token: "s1" });
  host.say({ type: "welcome", session: "s2" });
  expect(heard).toEqual(["disconnected", "connected"]);
});

test("a refused page forgets its key and does not try again", () => {
  const host = new FakeHost();
  const bridge = host.open();
  host.listener?.opened();
  host.say({ type: "refused" });
  host.listener?.closed();
  expect(bridge.connection()).toBe("refused");
  expect(host.token).toBeNull();
  expect(host.delays).toEqual([]);
});

test("a page without any key is refused before it connects", () => {
  const host = new FakeHost();
  host.token = null;
  expect(host.open().connection()).toBe("refused");
  expect(host.sockets).toBe(0);
});

test("events reach their listeners until the signal aborts; nonsense reaches nobody", () => {
  const { host, bridge } = connected();
  const heard: unknown[] = [];
  const ending = new AbortController();
  bridge.on("hub.changed", (event) => heard.push(event), ending.signal);
  for (const nonsense of ["{", "null", "[]", { type: "event", name: "x" }, { type: "reply" }]) {
    host.say(nonsense);
  }
  host.say({ type: "event", name: "hub.changed", event: { connected: true } });
  ending.abort();
  host.say({ type: "event", name: "hub.changed", event: { connected: false } });
  expect(heard).toEqual([{ connected: true }]);
});

test("the one-time token leaves the address at once and the session survives a reload", () => {
  const stored = new Map<string, string>();
  const shown: string[] = [];
  const places = (hash: string) => ({
    location: { hash, pathname: "/", search: "?x" },
    history: {
      replaceState: (_: unknown, __: string, url?: string | URL | null) =>
        void shown.push(String(url)),
    },
    sessionStorage: {
      getItem: (key: string) => stored.get(key) ?? null,
      setItem: (key: string, value: string) => void stored.set(key, value),
      removeItem: (key: string) => void stored.delete(key),
    },
  });
  const key = pageKey(places("#token=abc"));
  expect(shown).toEqual(["/?x"]);
  expect(key.token()).toBe("abc");
  key.keep("session-1");
  expect(pageKey(places("")).token()).toBe("session-1");
  key.forget();
  expect(pageKey(places("")).token()).toBeNull();
});

test("a link that is pasted into an open page loads it again, and leaves a connected one as it is", () => {
  const page = Object.assign(new EventTarget(), {
    location: { hash: "", pathname: "/", search: "", reload: vi.fn() },
    history: { replaceState: vi.fn() },
  });
  let isConnected = false;
  openPastedLinks(page, () => isConnected);
  const goTo = (hash: string): void => {
    page.location.hash = hash;
    page.dispatchEvent(new Event("hashchange"));
  };
  goTo("#/agents");
  expect(page.location.reload).not.toHaveBeenCalled();
  goTo("#token=abc");
  expect(page.location.reload).toHaveBeenCalledTimes(1);
  isConnected = true;
  goTo("#token=def");
  expect(page.location.reload).toHaveBeenCalledTimes(1);
  expect(page.history.replaceState).toHaveBeenLastCalledWith(null, "", "/");
});
