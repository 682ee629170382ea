import { describe, expect, it } from "vitest";
import type { EventName } from "../../../app/bridge/events.ts";
import { EventHub } from "./event-hub.ts";

const OWN = { url: "http://127.0.0.1:1", own: true, fault: null };

function hubOf(list: { text: string }) {
  let drawn = 0;
  const hub = new EventHub({
    "hub.changed": () => {
      drawn += 1;
      return { ...OWN, connected: list.text === "on" };
    },
  });
  return { hub, drawn: () => drawn };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("what renderers are told", () => {
  it("is built once a turn, however often it changed, with the latest state", async () => {
    const state = { text: "off" };
    const { hub, drawn } = hubOf(state);
    const heard: unknown[] = [];
    hub.subscribe((name, event) => heard.push([name, event]), new AbortController().signal);
    for (let change = 0; change < 100; change += 1) hub.changed("hub.changed");
    state.text = "on";
    await turn();
    expect(heard).toEqual([["hub.changed", { ...OWN, connected: true }]]);
    expect(drawn()).toBe(1);
  });

  it("is not built at all when nobody listens", async () => {
    const { hub, drawn } = hubOf({ text: "on" });
    hub.changed("hub.changed");
    await turn();
    expect(drawn()).toBe(0);
  });

  it("is neither sent nor built once the program has ended", async () => {
    const { hub, drawn } = hubOf({ text: "on" });
    const heard: EventName[] = [];
    hub.subscribe((name) => heard.push(name), new AbortController().signal);
    hub.changed("hub.changed");
    hub.end();
    hub.subscribe((name) => heard.push(name), new AbortController().signal);
    hub.changed("hub.changed");
    hub.emit("hub.changed", { ...OWN, connected: false });
    await turn();
    expect(heard).toEqual([]);
    expect(drawn()).toBe(0);
  });

  it("reaches nobody whose signal has aborted, before or after", async () => {
    const { hub } = hubOf({ text: "on" });
    const heard: EventName[] = [];
    const stop = new AbortController();
    hub.subscribe((name) => heard.push(name), stop.signal);
    hub.subscribe((name) => heard.push(name), AbortSignal.abort());
    stop.abort();
    expect(hub.isHeard).toBe(false);
    hub.changed("hub.changed");
    hub.emit("hub.changed", { ...OWN, connected: true });
    await turn();
    expect(heard).toEqual([]);
  });

  it("names a new pairing's key first, so that its card is drawn with the key", async () => {
    const keys = { agents: [], pairings: [], restart_needed: false };
    const hub = new EventHub({ "pairings.changed": () => [], "keys.changed": () => keys });
    const heard: EventName[] = [];
    hub.subscribe((name) => heard.push(name), new AbortController().signal);
    hub.changed("pairings.changed", "keys.changed");
    await turn();
    expect(heard).toEqual(["keys.changed", "pairings.changed"]);
  });

  it("is sent again when it changes in a later turn", async () => {
    const { hub } = hubOf({ text: "on" });
    const heard: EventName[] = [];
    hub.subscribe((name) => heard.push(name), new AbortController().signal);
    hub.changed("hub.changed");
    await turn();
    hub.changed("hub.changed");
    await turn();
    expect(heard).toHaveLength(2);
  });
});
