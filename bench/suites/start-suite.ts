import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import { emptyProgram, firstStart, laterStart } from "../subjects/started-program.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const FILE_BYTES = 4_096;
const FIRST_CALLS = 1_000;
const IN_FLIGHT = 32;
const STARTS_A_ROUND = 3;

const EMPTY = "Empty program";
const FIRST = "Consentry, first start";
const LATER = "Consentry, later start";

/** Starts, next to those of an empty program, and what many calls leave in memory. */
export async function startSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, say } = parts;
  const subjects = [emptyProgram(EMPTY), firstStart(FIRST, folder), laterStart(LATER, folder)];
  const measured = await interleave(subjects, { ...flags, calls: STARTS_A_ROUND }, say);
  return {
    about: `${flags.rounds} rounds of ${STARTS_A_ROUND} starts, after a warm-up; browser host`,
    rows: reportOf(measured, null),
    comparisons: compare(measured, [
      [FIRST, EMPTY],
      [LATER, EMPTY],
    ]),
    notes: await memoryNotes(parts),
  };
}

async function memoryNotes({ flags, folder, say }: SuiteParts): Promise<readonly string[]> {
  const file = textFileIn(mkdtempSync(join(folder, "files-")), FILE_BYTES);
  const dataDir = join(folder, "memory");
  const client = await startConsentry({
    name: "memory",
    modes: [IN_FLIGHT],
    dataDir,
    file,
    profile: null,
  });
  try {
    const notes = [`Memory when ready: ${await mebi(client.memory())} MiB`];
    let made = 0;
    for (const calls of [FIRST_CALLS, flags.memoryCalls]) {
      say(`Making ${calls} calls.`);
      await client.turn({ calls: Math.max(1, calls - made), inFlight: IN_FLIGHT });
      made = calls;
      notes.push(`Memory after ${calls} calls: ${await mebi(client.memory())} MiB`);
    }
    return notes;
  } finally {
    await client.close();
  }
}

const mebi = async (bytes: Promise<number>): Promise<string> =>
  ((await bytes) / 2 ** 20).toFixed(0);
