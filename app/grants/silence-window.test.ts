import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isWindowOpen, type SilenceWindow, windowEndsAt } from "./silence-window.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const window = (opened_at: number, last_used_at = opened_at): SilenceWindow => ({
  agent_id: "agent-1",
  conversation_id: "conversation-1",
  scope: "filesystem:read",
  subject: { kind: "folder", path: "/home/ada" },
  manifest_hash: "a".repeat(64),
  opened_at,
  last_used_at,
});

describe("a silence window", () => {
  it("covers 24 h after its last use, to the millisecond", () => {
    expect(isWindowOpen(window(0), "a".repeat(64), DAY - 1)).toBe(true);
    expect(isWindowOpen(window(0), "a".repeat(64), DAY)).toBe(false);
    expect(isWindowOpen(window(0, 5 * HOUR), "a".repeat(64), DAY + 5 * HOUR - 1)).toBe(true);
  });

  it("ends 7 days after it was opened however often it is used", () => {
    fc.assert(
      fc.property(fc.nat(30 * DAY), (used) => {
        expect(windowEndsAt(window(0, used))).toBeLessThanOrEqual(7 * DAY);
      }),
    );
    expect(isWindowOpen(window(0, 7 * DAY - 1), "a".repeat(64), 7 * DAY - 1)).toBe(true);
    expect(isWindowOpen(window(0, 7 * DAY - 1), "a".repeat(64), 7 * DAY)).toBe(false);
  });

  it("is void under another manifest", () => {
    expect(isWindowOpen(window(0), "b".repeat(64), 1)).toBe(false);
  });
});
