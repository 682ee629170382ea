import { EventEmitter } from "node:events";
import { beforeEach, expect, test } from "vitest";
import { type SightParts, watchSight } from "./window-sight.ts";

class FakeWindow extends EventEmitter {
  visible = true;
  minimized = false;
  destroyed = false;
  isVisible = () => this.visible;
  isMinimized = () => this.minimized;
  isDestroyed = () => this.destroyed;
}

class FakeMonitor extends EventEmitter {
  state = "active";
  getSystemIdleState = () => this.state;
}

let window: FakeWindow;
let monitor: FakeMonitor;
let unlocked: number | null;
let now: number;
let stopped: AbortController;
let inSight: () => number | null;

beforeEach(() => {
  window = new FakeWindow();
  monitor = new FakeMonitor();
  unlocked = Number.POSITIVE_INFINITY;
  now = 1_000;
  stopped = new AbortController();
  inSight = watchSight({
    window: window as unknown as SightParts["window"],
    powerMonitor: monitor as unknown as SightParts["powerMonitor"],
    unlockedMs: () => unlocked,
    now: () => now,
    signal: stopped.signal,
  });
});

test("a window is in sight from the moment it is shown", () => {
  window.visible = false;
  expect(inSight()).toBeNull();
  now = 5_000;
  window.visible = true;
  window.emit("show");
  expect(inSight()).toBe(0);
  now = 5_700;
  expect(inSight()).toBe(700);
});

test("a minimised window is not in sight, though it counts as shown", () => {
  window.minimized = true;
  expect(inSight()).toBeNull();
  now = 5_000;
  window.minimized = false;
  window.emit("restore");
  now = 5_001;
  expect(inSight()).toBe(1);
});

test.each(["active", "idle", "unknown"])("nobody at the keyboard (%s) hides no window", (state) => {
  monitor.state = state;
  expect(inSight()).toBe(0);
});

test("behind a locked screen nothing is in sight, and all of it comes into sight with the unlocking", () => {
  now = 5_000;
  monitor.state = "locked";
  expect(inSight()).toBeNull();
  now = 9_000;
  monitor.state = "active";
  monitor.emit("unlock-screen");
  now = 9_100;
  expect(inSight()).toBe(100);
});

test("where no unlocking is told of, the last time it was found locked counts", () => {
  monitor.state = "locked";
  now = 9_000;
  expect(inSight()).toBeNull();
  now = 9_200;
  monitor.state = "active";
  expect(inSight()).toBe(200);
});

test("where only the system's buses tell of the lock, they count as much", () => {
  now = 9_000;
  unlocked = null;
  expect(inSight()).toBeNull();
  unlocked = 300;
  expect(inSight()).toBe(300);
  unlocked = 9_500;
  expect(inSight()).toBe(8_000);
});

test("a window that is gone is not in sight, and nothing is heard of the screen once it stopped", () => {
  window.destroyed = true;
  expect(inSight()).toBeNull();
  stopped.abort();
  expect(monitor.listenerCount("unlock-screen")).toBe(0);
});
