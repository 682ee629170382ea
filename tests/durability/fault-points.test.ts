import { describe, expect, it } from "vitest";
import { whyNoShim } from "./build-shim.ts";
import { runFaultPoints } from "./fault-points.ts";

const missing = whyNoShim();

describe.skipIf(missing !== null)(
  `a disk that fails${missing === null ? "" : ` (${missing})`}`,
  () => {
    it("is answered audit_unavailable, runs nothing unlogged, loses nothing, and is got over", {
      timeout: 180_000,
    }, async () => {
      const summary = await runFaultPoints(48, () => {});
      expect(summary.faults).toEqual([]);
      expect(summary.points).toBe(48);
      expect(summary.injected_points).toBeGreaterThan(40);
      expect(summary.acknowledged).toBeGreaterThan(48 * 10);
      expect(summary.answered_audit_unavailable).toBeGreaterThan(0);
      expect(summary.openings_refused).toBeGreaterThan(0);
    });
  },
);
