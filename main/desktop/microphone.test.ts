import type { Session } from "electron";
import { expect, test, vi } from "vitest";
import { PAGE_URLS } from "./app-pages.ts";

vi.mock("electron", () => ({ systemPreferences: { askForMediaAccess: async () => true } }));
const { guardPermissions, microphoneGate } = await import("./microphone.ts");

const OURS = { isMainFrame: true, requestingUrl: PAGE_URLS.main, mediaTypes: ["audio"] };

/** A session with its guard, and the gate before the microphone. */
function guarded() {
  const handlers: Record<string, (...args: unknown[]) => unknown> = {};
  const keep = (name: string) => (handler: (typeof handlers)[string]) => {
    handlers[name] = handler;
  };
  const time = { now: 0 };
  const gate = microphoneGate(() => time.now);
  // The part of a session that is used.
  guardPermissions(
    {
      setPermissionRequestHandler: keep("request"),
      setPermissionCheckHandler: keep("check"),
      setDevicePermissionHandler: keep("device"),
    } as unknown as Session,
    gate,
  );
  const request = (permission: string, asked: object): Promise<boolean> =>
    new Promise((answer) => handlers.request?.({}, permission, answer, asked));
  const check = (permission: string, asked: object) =>
    handlers.check?.({}, permission, "consentry://app", asked);
  return { time, gate, request, check, device: () => handlers.device?.() };
}

test("while nobody records, nothing is allowed", async () => {
  const { request, check, device } = guarded();
  expect(await request("media", OURS)).toBe(false);
  expect([check("media", { ...OURS, mediaType: "audio" }), device()]).toEqual([false, false]);
});

test("while the person records, our main page gets the microphone", async () => {
  const { gate, request, check } = guarded();
  gate.open(1_000);
  expect(await request("media", OURS)).toBe(true);
  expect(check("media", { ...OURS, mediaTypes: undefined, mediaType: "audio" })).toBe(true);
  gate.close();
  expect(await request("media", OURS)).toBe(false);
});

test("it is closed by itself when a message can be no longer", async () => {
  const { gate, time, request } = guarded();
  gate.open(1_000);
  time.now = 1_000;
  expect(await request("media", OURS)).toBe(false);
});

test.each([
  ["the camera as well", "media", { ...OURS, mediaTypes: ["audio", "video"] }],
  ["the camera", "media", { ...OURS, mediaTypes: ["video"] }],
  ["nothing in particular", "media", { ...OURS, mediaTypes: [] }],
  ["the screen", "display-capture", OURS],
  ["the location", "geolocation", OURS],
  ["a frame in it", "media", { ...OURS, isMainFrame: false }],
  ["the consent window", "media", { ...OURS, requestingUrl: PAGE_URLS.consent }],
  ["a page from elsewhere", "media", { ...OURS, requestingUrl: "https://example.org/" }],
])("also then, it is denied to or for %s", async (_name, permission, asked) => {
  const { gate, request } = guarded();
  gate.open(1_000);
  expect(await request(permission, asked)).toBe(false);
});
