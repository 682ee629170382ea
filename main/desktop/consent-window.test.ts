import { EventEmitter } from "node:events";
import type { BrowserWindow } from "electron";
import { expect, test, vi } from "vitest";

const pointer = vi.hoisted(() => ({ x: 0, y: 0 }));
const SCREENS = vi.hoisted(() => [
  { workArea: { x: 0, y: 0, width: 1000, height: 800 } },
  { workArea: { x: 1000, y: 100, width: 2000, height: 1200 } },
]);
vi.mock("electron", () => ({
  screen: {
    getCursorScreenPoint: () => pointer,
    getDisplayNearestPoint: ({ x }: { readonly x: number }) => SCREENS[x < 1000 ? 0 : 1],
  },
}));
const { keepConsentWindow } = await import("./follow-program.ts");

class FakeWindow extends EventEmitter {
  visible = false;
  focused = false;
  readonly done: string[] = [];
  isVisible = () => this.visible;
  isFocused = () => this.focused;
  isDestroyed = () => false;
  getBounds = () => ({ x: 0, y: 0, width: 560, height: 680 });
  setPosition = (x: number, y: number) => void this.done.push(`at ${x},${y}`);
  hide(): void {
    this.visible = false;
    this.focused = false;
    this.done.push("hide");
  }
  show(): void {
    this.visible = true;
    this.focused = true;
    this.done.push("show");
  }
  showInactive(): void {
    this.visible = true;
    this.done.push("showInactive");
  }
}

function kept() {
  const window = new FakeWindow();
  // Only as much of a window as is used.
  return { window, consent: keepConsentWindow(window as unknown as BrowserWindow) };
}

test("it comes up on the screen where the pointer is, in its corner, without the keyboard", () => {
  Object.assign(pointer, { x: 1500, y: 300 });
  const { window, consent } = kept();
  consent.waiting(1, true, 0);
  expect(window.done).toEqual(["at 2416,124", "showInactive"]);
  consent.waiting(0, false, 0);
  Object.assign(pointer, { x: 10, y: 10 });
  consent.waiting(1, true, 0);
  expect(window.done.slice(-2)).toEqual(["at 416,24", "showInactive"]);
});

test("it stays where it is while another request arrives", () => {
  const { window, consent } = kept();
  consent.waiting(1, true, 0);
  const before = window.done.length;
  consent.waiting(2, true, 0);
  expect(window.done).toHaveLength(before);
});

test("put off, it comes back with the next request", () => {
  const { window, consent } = kept();
  consent.waiting(1, true, 0);
  consent.putOff();
  consent.waiting(1, false, 0);
  expect(window.visible).toBe(false);
  consent.waiting(2, true, 0);
  expect(window.visible).toBe(true);
});

test("it stays for a denial that can be taken back, and gives the keyboard back meanwhile", () => {
  const { window, consent } = kept();
  consent.waiting(2, true, 0);
  consent.show();
  consent.waiting(1, false, 1);
  expect([window.visible, window.focused]).toEqual([true, true]);
  consent.waiting(0, false, 2);
  expect([window.visible, window.focused]).toEqual([true, false]);
  consent.waiting(0, false, 0);
  expect(window.visible).toBe(false);
});

test("brought up with nothing waiting it stays away", () => {
  const { window, consent } = kept();
  consent.show();
  expect(window.done).toEqual([]);
  consent.waiting(1, true, 0);
  consent.show();
  expect(window.done.at(-1)).toBe("show");
});
