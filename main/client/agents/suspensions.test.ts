import { describe, expect, it } from "vitest";
import { Suspensions } from "./suspensions.ts";

/** Settings whose writes end when the test says so. */
function settings() {
  const values = new Map<string, string>();
  const writes: (() => void)[] = [];
  const written = (change: () => void) =>
    new Promise<void>((resolve) => {
      writes.push(() => {
        change();
        resolve();
      });
    });
  return {
    value: (name: string) => values.get(name),
    putValue: (name: string, value: string) => written(() => values.set(name, value)),
    removeValue: (name: string) => written(() => values.delete(name)),
    write: () => writes.shift()?.(),
  };
}

describe("a suspension", () => {
  it("takes effect before it is stored, and ends once its end is stored", async () => {
    const kept = settings();
    const suspensions = new Suspensions(kept);
    const suspending = suspensions.set("one", true);
    expect([suspensions.has("one"), suspensions.has("other")]).toEqual([true, false]);
    kept.write();
    await suspending;
    expect(new Suspensions(kept).has("one")).toBe(true);
    const resuming = suspensions.set("one", false);
    expect(suspensions.has("one")).toBe(true);
    kept.write();
    await resuming;
    expect(suspensions.has("one")).toBe(false);
  });

  it("that is made while the one before is still being ended holds", async () => {
    const kept = settings();
    const suspensions = new Suspensions(kept);
    const changes = [true, false, true].map((suspended) => suspensions.set("one", suspended));
    for (const _ of changes) kept.write();
    await Promise.all(changes);
    expect(suspensions.has("one")).toBe(true);
    expect(new Suspensions(kept).has("one")).toBe(true);
  });

  it("does not bring an ended relation back, nor change how the agent is reached", async () => {
    const kept = settings();
    const suspensions = new Suspensions(kept);
    void suspensions.set("one", true);
    const statusOf = (relation: "active" | "suspended" | "revoked") =>
      suspensions.statusOf("one", { relation, delivery: "webhook" });
    expect(statusOf("active")).toEqual({ relation: "suspended", delivery: "webhook" });
    expect(statusOf("revoked")).toEqual({ relation: "revoked", delivery: "webhook" });
    expect(suspensions.statusOf("other", { relation: "active", delivery: "webhook" })).toEqual({
      relation: "active",
      delivery: "webhook",
    });
  });
});
