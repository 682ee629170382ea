import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  isQuietPeriodActive,
  type QuietPeriod,
  quietPeriodEndsAt,
  quietPeriodFor,
} from "./quiet-period.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;
const period = (opened_at: number, last_used_at = opened_at): QuietPeriod => ({
  agent_id: "agent-1",
  conversation_id: "conversation-1",
  scope: "filesystem:read",
  subject: { kind: "folder", path: "/home/ada" },
  manifest_hash: "a".repeat(64),
  opened_at,
  last_used_at,
  made_on: "call-1",
});

describe("a quiet period", () => {
  it("covers 24 h after its last use, to the millisecond", () => {
    expect(isQuietPeriodActive(period(0), "a".repeat(64), DAY - 1)).toBe(true);
    expect(isQuietPeriodActive(period(0), "a".repeat(64), DAY)).toBe(false);
    expect(isQuietPeriodActive(period(0, 5 * HOUR), "a".repeat(64), DAY + 5 * HOUR - 1)).toBe(true);
  });

  it("ends 7 days after it was opened however often it is used", () => {
    fc.assert(
      fc.property(fc.nat(30 * DAY), (used) => {
        expect(quietPeriodEndsAt(period(0, used))).toBeLessThanOrEqual(7 * DAY);
      }),
    );
    expect(isQuietPeriodActive(period(0, 7 * DAY - 1), "a".repeat(64), 7 * DAY - 1)).toBe(true);
    expect(isQuietPeriodActive(period(0, 7 * DAY - 1), "a".repeat(64), 7 * DAY)).toBe(false);
  });

  it("ends when the manifest changes", () => {
    expect(isQuietPeriodActive(period(0), "b".repeat(64), 1)).toBe(false);
  });
});

describe("of several quiet periods", () => {
  const folder = period(0);
  const inner = { ...folder, subject: { kind: "folder", path: "/home/ada/inner" } } as const;
  const scope = { ...folder, subject: { kind: "scope" } } as const;
  const about = (path: string, now = 1) => ({
    subject: { kind: "folder", path } as const,
    manifest_hash: "a".repeat(64),
    now,
  });

  it("the one for the whole scope lets a call run, whatever their order", () => {
    for (const quietPeriods of [
      [folder, scope],
      [scope, folder],
      [folder, inner, scope],
    ]) {
      expect(quietPeriodFor(quietPeriods, about("/home/ada/inner"))).toBe(scope);
    }
  });

  it("one that covers the call lets it run; one that is over or about something else does not", () => {
    expect(quietPeriodFor([inner, folder], about("/home/ada"))).toBe(folder);
    expect(quietPeriodFor([folder, scope], about("/home/ada", DAY))).toBeUndefined();
    expect(quietPeriodFor([inner], about("/home/ada"))).toBeUndefined();
    expect(quietPeriodFor([], about("/home/ada"))).toBeUndefined();
  });
});
