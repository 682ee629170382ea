import { RandomNumbers } from "../seeding/random-numbers.ts";
import { type BundledProgram, bundleProgram } from "./bundle-program.ts";
import { drawFirstPlan, drawPlan } from "./kill-plan.ts";
import { type KillReport, KillTally } from "./kill-tally.ts";
import { KilledFolder } from "./killed-folder.ts";

export interface KillOptions {
  /** Minimum number of writers killed. */
  readonly cycles: number;
  /** Minimum number of acknowledged records: cycles continue until it is reached. */
  readonly records: number;
  readonly seed: string;
  /** Number of folders used in parallel. */
  readonly lanes: number;
}

const DAY_MS = 24 * 3_600_000;
/**
 * Time between writers, in milliseconds: gives logs with the records of about 20, 60 and 250
 * writers.
 */
const STEPS = [1.5 * DAY_MS, 0.5 * DAY_MS, 0.1 * DAY_MS] as const;
/** Writers between two full checks of a folder. */
const FULL_CHECK_EVERY = 150;

/**
 * Kills writers, and checks what their successors find against what was promised.
 * @param progress called after each writer
 */
export async function runKillCycles(
  { cycles, records, seed, lanes }: KillOptions,
  progress: (report: KillReport) => void,
): Promise<KillReport> {
  const program = await bundleProgram("./writer.ts");
  const tally = new KillTally();
  const wanted = () =>
    tally.report.faults.length === 0 &&
    (tally.started < cycles || tally.report.acknowledged < records);
  const lane = async (random: RandomNumbers): Promise<void> => {
    while (wanted()) await killInOneFolder({ program, tally, random, wanted, progress });
  };
  try {
    const all = Array.from({ length: lanes }, (_, number) =>
      lane(new RandomNumbers(`${seed} ${number}`)),
    );
    await Promise.all(all);
  } finally {
    program.remove();
  }
  return tally.report;
}

interface Lane {
  readonly program: BundledProgram;
  readonly tally: KillTally;
  readonly random: RandomNumbers;
  wanted(): boolean;
  progress(report: KillReport): void;
}

/** Most folders are new, because creating a database can be interrupted too; some grow old. */
async function killInOneFolder({ program, tally, random, wanted, progress }: Lane): Promise<void> {
  const writers = random.unit() < 0.95 ? random.between(2, 12) : random.between(100, 600);
  const folder = new KilledFolder(program, random.pick(STEPS));
  tally.folder();
  for (let count = 1; count <= writers && wanted(); count += 1) {
    tally.start();
    const plan = folder.fresh ? drawFirstPlan(random) : drawPlan(random);
    tally.killed(await folder.kill(plan), folder.path);
    progress(tally.report);
    if (count % FULL_CHECK_EVERY === 0) tally.checkedWhole(await folder.checkWhole(), folder.path);
  }
  if (tally.report.faults.length > 0) return;
  tally.checkedWhole(await folder.checkWhole(), folder.path);
  // A folder in which something was lost is kept for inspection.
  if (tally.report.faults.length === 0) folder.remove();
}
