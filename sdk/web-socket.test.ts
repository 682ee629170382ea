import { afterEach, expect, it, vi } from "vitest";
import { WebSocket as PackageWebSocket } from "ws";
import { findWebSocket } from "./link.ts";

afterEach(() => {
  vi.unstubAllGlobals();
});

it("uses the runtime's own WebSocket", async () => {
  const own = class {};
  vi.stubGlobal("WebSocket", own);
  expect(await findWebSocket()).toBe(own);
});

it("uses the ws package where the runtime has none", async () => {
  vi.stubGlobal("WebSocket", undefined);
  expect(await findWebSocket()).toBe(PackageWebSocket);
});
