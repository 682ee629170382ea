import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { KEPT_AT_MOST, keepShownNotifications } from "./shown-notifications.ts";

class FakeNotification extends EventEmitter {
  readonly title: string;
  shows = 0;
  closes = 0;
  constructor(title: string) {
    super();
    this.title = title;
  }
  show(): void {
    this.shows += 1;
  }
  close(): void {
    this.closes += 1;
  }
}

function desktop() {
  const made: FakeNotification[] = [];
  const clicks: string[] = [];
  const buttons: string[][] = [];
  const kept = keepShownNotifications(({ title, actions }) => {
    buttons.push(actions.map(({ text }) => text));
    const notification = new FakeNotification(title);
    made.push(notification);
    return notification;
  });
  const show = (title: string, replaces: string | null = null, signal = never()) =>
    kept.show({ title, body: "", replaces, clicked: () => clicks.push(title) }, signal);
  /** As `show`, and the system takes it. */
  async function taken(title: string, replaces: string | null, signal = never()) {
    const showing = show(title, replaces, signal);
    made.at(-1)?.emit("show");
    await showing;
  }
  return { made, clicks, buttons, kept, show, taken };
}
const never = () => new AbortController().signal;

/** Counts a signal's listeners, which cannot be counted otherwise. */
function countedSignal() {
  const abort = new AbortController();
  let listeners = 0;
  const { signal } = abort;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>) => {
    listeners += 1;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>) => {
    listeners -= 1;
    remove(...args);
  };
  return { abort, signal, listeners: () => listeners };
}

test("is over when the system took it; a click on it leads on, once", async () => {
  const { made, clicks, taken } = desktop();
  const { signal, listeners } = countedSignal();
  await taken("one", null, signal);
  expect(listeners()).toBe(0);
  made[0]?.emit("click");
  made[0]?.emit("click");
  expect(clicks).toEqual(["one"]);
});

test("fails with its word when the system refuses, and says nothing of why", async () => {
  const { made, show } = desktop();
  const failed = expect(show("one")).rejects.toMatchObject({
    code: "notification_error",
    message: "notification_error",
  });
  made[0]?.emit("failed", {}, "quoted text");
  await failed;
});

test("one shown under the same name takes the older one's place", async () => {
  const { made, taken } = desktop();
  for (const [title, name] of [
    ["1 more", "folded:a"],
    ["own", null],
    ["own too", null],
    ["2 more", "folded:a"],
    ["other", "folded:b"],
  ] as const) {
    await taken(title, name);
  }
  expect(made.map(({ title, closes }) => [title, closes])).toEqual([
    ["1 more", 1],
    ["own", 0],
    ["own too", 0],
    ["2 more", 0],
    ["other", 0],
  ]);
});

test("aborting takes it back at once and leaves no listener; 10,000 times", async () => {
  const { made, show } = desktop();
  for (let n = 0; n < 10_000; n += 1) {
    const abort = new AbortController();
    const cancelled = show("x", "folded:a", abort.signal).catch((error: unknown) => error);
    abort.abort();
    expect(await cancelled).toMatchObject({ code: "cancelled" });
  }
  expect(made.every(({ closes }) => closes === 1)).toBe(true);
  await expect(show("late", null, AbortSignal.abort())).rejects.toMatchObject({
    code: "cancelled",
  });
  expect(made).toHaveLength(10_000);
});

test("only a limited number is kept to be replaced: the oldest are forgotten first", async () => {
  const { made, taken } = desktop();
  for (let n = 0; n <= KEPT_AT_MOST; n += 1) await taken(`${n}`, `name ${n}`);
  for (const name of ["name 0", "name 1"]) await taken("again", name);
  expect(made.slice(0, 2).map(({ closes }) => closes)).toEqual([0, 0]);
  await taken("again", `name ${KEPT_AT_MOST}`);
  expect(made[KEPT_AT_MOST]?.closes).toBe(1);
});

test("a button does what it is for, once; one that is not there does nothing", async () => {
  const { made, clicks, buttons, kept } = desktop();
  const chosen: string[] = [];
  const button = (text: string) => ({ text, chosen: () => chosen.push(text) });
  const wish = { title: "", body: "", replaces: null, clicked: () => clicks.push("click") };
  const showing = kept.show({ ...wish, buttons: [button("Deny"), button("Open")] }, never());
  made[0]?.emit("show");
  await showing;
  expect(buttons).toEqual([["Deny", "Open"]]);
  made[0]?.emit("action", { actionIndex: 1 });
  made[0]?.emit("action", { actionIndex: 0 });
  expect({ chosen, clicks }).toEqual({ chosen: ["Open"], clicks: [] });
  const other = kept.show({ ...wish, buttons: [button("Deny")] }, never());
  made[1]?.emit("show");
  await other;
  made[1]?.emit("action", { actionIndex: -1 });
  expect(chosen).toEqual(["Open"]);
});
