import type { RelayPlan } from "./relay-plan.ts";

/**
 * Runs in a relay's process: sends its plan, reports its memory on request, and ends with its
 * parent.
 */
export function serveRelay(plan: RelayPlan, end: () => Promise<void>): void {
  process.on("message", () => {
    // Several times: objects freed by one run may have kept others alive.
    for (let run = 0; run < 4; run += 1) globalThis.gc?.();
    process.send?.({ event: "memory", rss: process.memoryUsage().rss });
  });
  process.once("disconnect", () => void end().then(() => process.exit(0)));
  process.send?.({ event: "plan", plan });
}
