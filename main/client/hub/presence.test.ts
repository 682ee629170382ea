import { describe, expect, it } from "vitest";
import { LIMITS } from "../../../app/contract/limits.ts";
import { ManualTime } from "../../../app/contract/testing/manual-time.ts";
import { ATTEMPT_LIMIT_MS, BACKOFF_CAP_MS } from "../../../app/protocol/link/connection.ts";
import { Presence } from "./presence.ts";

function presenceAt() {
  const time = new ManualTime();
  const gone: string[] = [];
  const presence = new Presence(time, (agentId) => gone.push(agentId));
  return { presence, time, gone };
}

describe("presence", () => {
  it("reports an agent gone only after the time a reconnect may take", () => {
    const { presence, time, gone } = presenceAt();
    presence.set("a", true);
    presence.set("a", false);
    expect(presence.isOnline("a")).toBe(false);
    time.pass(LIMITS.agentAbsenceGraceMs - 1);
    expect(gone).toEqual([]);
    time.pass(1);
    expect(gone).toEqual(["a"]);
    expect(presence.isGone("a")).toBe(true);
    presence.set("a", true);
    expect(presence.isGone("a")).toBe(false);
  });

  it("gives an agent that waits for its next attempt the time for it", () => {
    expect(LIMITS.agentAbsenceGraceMs).toBe(BACKOFF_CAP_MS + ATTEMPT_LIMIT_MS);
  });

  it("does not report an agent that reconnects in time", () => {
    const { presence, time } = presenceAt();
    presence.set("a", false);
    presence.set("a", true);
    expect(time.pending).toBe(0);
    expect(presence.isOnline("a")).toBe(true);
  });

  it("counts nobody as gone while the hub itself is away", () => {
    const { presence, time } = presenceAt();
    presence.set("a", false);
    presence.forget();
    expect(time.pending).toBe(0);
  });
});
