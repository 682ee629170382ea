import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { ATTEMPT_LIMIT_MS } from "../../../app/protocol/link/connection.ts";
import { BACKOFF_CAP_MS } from "../../../app/protocol/v1/frames.ts";
import { Presence } from "./presence.ts";

function presenceAt() {
  const timers = new Set<{ ms: number; run: () => void }>();
  const gone: string[] = [];
  const after = (ms: number, run: () => void) => {
    const timer = { ms, run };
    timers.add(timer);
    return () => timers.delete(timer);
  };
  const presence = new Presence({ after }, (agentId) => gone.push(agentId));
  return { presence, timers, gone };
}

describe("presence", () => {
  it("reports an agent gone only after the time a reconnect may take", () => {
    const { presence, timers, gone } = presenceAt();
    presence.set("a", true);
    presence.set("a", false);
    expect(presence.isOnline("a")).toBe(false);
    expect([...timers].map(({ ms }) => ms)).toEqual([LIMITS.agentAbsenceGraceMs]);
    for (const { run } of timers) run();
    expect(gone).toEqual(["a"]);
    expect(presence.isGone("a")).toBe(true);
    presence.set("a", true);
    expect(presence.isGone("a")).toBe(false);
  });

  it("gives an agent that waits for its next attempt the time for it", () => {
    expect(LIMITS.agentAbsenceGraceMs).toBe(BACKOFF_CAP_MS + ATTEMPT_LIMIT_MS);
  });

  it("forgives an agent that comes back in time", () => {
    const { presence, timers } = presenceAt();
    presence.set("a", false);
    presence.set("a", true);
    expect(timers.size).toBe(0);
    expect(presence.isOnline("a")).toBe(true);
  });

  it("judges nobody while the hub itself is away", () => {
    const { presence, timers } = presenceAt();
    presence.set("a", false);
    presence.forget();
    expect(timers.size).toBe(0);
  });
});
