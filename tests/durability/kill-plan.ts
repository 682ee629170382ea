import type { RandomNumbers } from "../seeding/random-numbers.ts";
import type { WriterOrder } from "./writer-lines.ts";
import type { KillMoment } from "./writer-process.ts";

const DAY_MS = 24 * 3_600_000;

/** What a writer is told to do, and when it is killed. */
export interface KillPlan {
  readonly does: Pick<WriterOrder, "callsAtOnce" | "callsEach" | "ending" | "jumpMs">;
  readonly moment: KillMoment;
}

/** Enough to be interrupted, on any machine. */
const ENDLESS = 100_000;

/** For a folder without a database: often while it is being created. */
export function drawFirstPlan(random: RandomNumbers): KillPlan {
  const plan = drawPlan(random);
  if (random.unit() < 0.3) return plan;
  return { ...plan, moment: { stage: "migrating", records: 0, delayMs: random.between(0, 8) } };
}

/**
 * Half of the kills happen during writes, the rest during everything else that a store does. Delays
 * range from none to longer than the step takes, so that they fall before, during and after it.
 */
export function drawPlan(random: RandomNumbers): KillPlan {
  const callsAtOnce = random.between(1, 32);
  const at = (stage: KillMoment["stage"], longestMs: number): KillMoment => ({
    stage,
    records: 0,
    delayMs: random.between(0, longestMs),
  });
  // By count rather than by time: a busy machine writes less in the same time.
  const amongWrites = { ...at("writing", 3), records: random.between(0, 500) };
  const jumpMs = random.between(1, 3) * DAY_MS;
  const short = { callsAtOnce, callsEach: random.between(1, 8), jumpMs };
  const draw = random.unit();
  const endless = { callsAtOnce, callsEach: ENDLESS, ending: "more_writing", jumpMs } as const;
  if (draw < 0.52) return { does: endless, moment: amongWrites };
  if (draw < 0.58) return { does: endless, moment: at("starting", 80) };
  if (draw < 0.7) return { does: endless, moment: at("opening", 12) };
  if (draw < 0.74) return { does: endless, moment: at("migrating", 12) };
  if (draw < 0.77) return { does: endless, moment: at("checking", 4) };
  if (draw < 0.85) {
    return { does: { ...short, ending: "checkpoint" }, moment: at("checkpointing", 6) };
  }
  if (draw < 0.93) return { does: { ...short, ending: "purge" }, moment: at("purging", 12) };
  return { does: { ...short, ending: "close" }, moment: at("closing", 4) };
}
