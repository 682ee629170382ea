import type { RelayPlan } from "./relay-plan.ts";

/** Runs in a relay's process: says its plan, tells its memory when asked, ends with its starter. */
export function serveRelay(plan: RelayPlan, end: () => Promise<void>): void {
  process.on("message", () => {
    // Several times: what was freed by one run may hold what the next one frees.
    for (let run = 0; run < 4; run += 1) globalThis.gc?.();
    process.send?.({ event: "memory", rss: process.memoryUsage().rss });
  });
  process.once("disconnect", () => void end().then(() => process.exit(0)));
  process.send?.({ event: "plan", plan });
}
