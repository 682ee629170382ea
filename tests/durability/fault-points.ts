import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildShim } from "./build-shim.ts";
import { bundleProgram } from "./bundle-program.ts";
import { FaultBench } from "./fault-bench.ts";
import type { Fault } from "./fault-control.ts";
import { type FaultStart, makeStarts } from "./fault-starts.ts";
import { added, type FaultPoint, type FaultSummary, NOTHING_YET } from "./fault-summary.ts";

/**
 * Runs the subject once for each point, with one fault each, and checks what it left.
 * @param progress called after each point
 */
export async function runFaultPoints(
  wanted: number,
  progress: (summary: FaultSummary) => void,
): Promise<FaultSummary> {
  const folder = mkdtempSync(join(tmpdir(), "consentry-faults-"));
  const program = await bundleProgram("./testing/fault-subject.ts");
  let summary = NOTHING_YET;
  try {
    const bench = new FaultBench(folder, program, buildShim(folder));
    const starts = await makeStarts(folder);
    for (const point of await drawPoints(bench, starts, wanted)) {
      const start = starts.find(({ name }) => name === point.start);
      if (start === undefined) continue;
      summary = added(summary, await bench.run(start, point), point);
      progress(summary);
    }
  } finally {
    program.remove();
    rmSync(folder, { recursive: true, force: true });
  }
  return summary;
}

/** With fewer, the shim would not be seeing SQLite's calls. */
const CALLS_AT_LEAST = 50;

const KINDS: readonly Omit<Fault, "first">[] = (["ENOSPC", "EIO"] as const).flatMap((error) =>
  [true, false].flatMap((once) => [true, false].map((shorten) => ({ error, once, shorten }))),
);

/** Every kind of fault from every start, at numbers spread over all the calls. */
async function drawPoints(
  bench: FaultBench,
  starts: readonly FaultStart[],
  wanted: number,
): Promise<readonly FaultPoint[]> {
  const rounds = Math.ceil(wanted / (starts.length * KINDS.length));
  const points: FaultPoint[] = [];
  for (const start of starts) {
    const { report, seen, fault } = await bench.run(start, null);
    if (report === null || seen < CALLS_AT_LEAST) {
      throw new Error(`without a fault the shim saw ${seen} calls: ${fault}`);
    }
    for (let round = 0; round < rounds; round += 1) {
      for (const [place, kind] of KINDS.entries()) {
        // The kinds use different positions within a round, so that together they cover more
        // numbers.
        const share = (round + (place + 0.5) / KINDS.length) / rounds;
        points.push({ ...kind, start: start.name, first: 1 + Math.floor(share * seen) });
      }
    }
  }
  return points;
}
