import { cpSync, mkdirSync, mkdtempSync } from "node:fs";
import { join } from "node:path";
import { seedLog } from "../../tests/seeding/seed-log.ts";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

const BYTES = 4_096;
const LEAST = "Chain, durable log, 1 agent, 1 grant, empty log";
const ALONE = "Consentry, 1 paired agent";

interface Size {
  readonly name: string;
  readonly agents: number;
  readonly grants: number;
  readonly records: number;
}

/**
 * The chain with the real store, which holds little, many agents, many grants or a long log; and the program
 * as a whole, with one paired agent and with many that are connected.
 */
export async function scaleSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, ending, say } = parts;
  const { agents, grants, records } = flags;
  const sizes: readonly Size[] = [
    { name: LEAST, agents: 1, grants: 1, records: 0 },
    { name: `Chain, ${agents} agents`, agents, grants: 1, records: 0 },
    { name: `Chain, ${grants} grants`, agents: 1, grants, records: 0 },
    { name: `Chain, log of ${records} records`, agents: 1, grants: 1, records },
  ];
  const subjects = new Subjects(ending);
  for (const [at, size] of sizes.entries()) {
    say(`Preparing: ${size.name}.`);
    const place = join(folder, `scale-${at}`);
    mkdirSync(place);
    await subjects.add(startChain(size, place, flags.seeded));
  }
  const file = textFileIn(mkdtempSync(join(folder, "files-")), BYTES);
  const many = `Consentry, ${agents} paired agents`;
  for (const [name, others] of [
    [ALONE, 0],
    [many, agents - 1],
  ] as const) {
    say(`Preparing: ${name}.`);
    const dataDir = join(folder, `paired-${others}`);
    await subjects.add(
      startConsentry({ name, modes: [1, 32], dataDir, file, profile: null, others }),
    );
  }
  const measured = await interleave(subjects.all, flags, say);
  return {
    about: `${flags.rounds} rounds of ${flags.calls} calls, after a warm-up`,
    rows: reportOf(measured, null),
    comparisons: compare(measured, [
      ...sizes.slice(1).map(({ name }) => [name, LEAST] as const),
      [many, ALONE],
    ]),
    notes: [],
  };
}

/** @param seeded a data folder whose log is used, on a copy of it; null: one is seeded */
function startChain({ name, agents, grants, records }: Size, place: string, seeded: string | null) {
  // The chain's store is in a folder of this name.
  const dataDir = join(place, "chain");
  if (records > 0) {
    if (seeded === null) seedLog({ dataDir, count: records, now: Date.now(), seed: 1 });
    else cpSync(seeded, dataDir, { recursive: true });
  }
  const args = ["durable", place, BYTES, agents - 1, grants - 1].map(String);
  return startMeasured({ name, modes: [1, 32], entry: "chain.ts", args });
}
