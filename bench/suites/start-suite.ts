import { mkdtempSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { interleave } from "../interleave.ts";
import { compare, reportOf } from "../report.ts";
import { startConsentry } from "../subjects/consentry.ts";
import { textFileIn } from "../subjects/file-to-read.ts";
import {
  desktopHost,
  firstStart,
  heldWhenReady,
  laterStart,
  PROGRAMS,
} from "../subjects/started-program.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const FILE_BYTES = 4_096;
const FIRST_CALLS = 1_000;
const IN_FLIGHT = 32;
const STARTS_A_ROUND = 3;
/** After this long without work the program has given back what it does not need, in milliseconds. */
const QUIET_MS = 95_000;
/** It has to give that back each time, not only the first. */
const CALLS_AGAIN = 15_000;

const EMPTY = "Empty program";
const FIRST = "Browser host, first start";
const LATER = "Browser host, later start";
const DESKTOP_FIRST = "Desktop host, first start";
const DESKTOP_LATER = "Desktop host, later start";

/** Starts, next to those of an empty program, and what many calls leave in memory. */
export async function startSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, folder, say } = parts;
  const { emptyProgram, browserHost } = PROGRAMS;
  const desktop = desktopHost();
  const subjects = [
    laterStart(EMPTY, emptyProgram, folder),
    firstStart(FIRST, browserHost, folder),
    laterStart(LATER, browserHost, folder),
    ...(desktop === null
      ? []
      : [firstStart(DESKTOP_FIRST, desktop, folder), laterStart(DESKTOP_LATER, desktop, folder)]),
  ];
  const calls = flags.suite === "overview" ? 1 : STARTS_A_ROUND;
  const measured = await interleave(subjects, { ...flags, calls }, say);
  const starts = subjects.map(({ name }) => name).filter((name) => / start$/.test(name));
  return {
    about: `${flags.rounds} rounds, ${calls} of each start in a round, after a warm-up`,
    rows: reportOf(measured, null),
    comparisons: compare(
      measured,
      starts.map((name) => [name, EMPTY] as const),
    ),
    notes: [
      ...(desktop === null ? ["Without the desktop host: no Electron was found."] : []),
      ...(await memoryNotes(parts)),
    ],
  };
}

async function memoryNotes({ flags, folder, say }: SuiteParts): Promise<readonly string[]> {
  const empty = await heldWhenReady(PROGRAMS.emptyProgram, folder);
  const ready = await heldWhenReady(PROGRAMS.browserHost, folder);
  const notes =
    empty === null || ready === null
      ? []
      : [
          `Memory when ready: ${mebi(ready)} MiB; the empty program: ${mebi(empty)} MiB (× ${(ready / empty).toFixed(2)})`,
        ];
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
    notes.push(`Memory with an agent and a page: ${mebi(await client.memory())} MiB`);
    const make = async (calls: number): Promise<void> => {
      say(`Making ${calls} calls.`);
      await client.turn({ calls, inFlight: IN_FLIGHT });
    };
    const held = async (): Promise<string> => {
      const bytes = await client.memory();
      return `${mebi(bytes)} MiB${empty === null ? "" : ` (× ${(bytes / empty).toFixed(2)})`}`;
    };
    const heldOnceQuiet = async (): Promise<string> => {
      say(`Waiting ${QUIET_MS / 1_000} s.`);
      await pause(QUIET_MS);
      return `${QUIET_MS / 1_000} s later: ${await held()}`;
    };
    await make(FIRST_CALLS);
    notes.push(`Memory after ${FIRST_CALLS} calls: ${await held()}`);
    await make(Math.max(1, flags.memoryCalls - FIRST_CALLS));
    notes.push(`Memory after ${flags.memoryCalls} calls: ${await held()}`);
    if (flags.suite === "overview") return notes;
    notes.push(await heldOnceQuiet());
    const again = Math.min(CALLS_AGAIN, flags.memoryCalls);
    await make(again);
    notes.push(`Memory after ${again} more: ${await held()}`, await heldOnceQuiet());
    return notes;
  } finally {
    await client.close();
  }
}

const mebi = (bytes: number): string => (bytes / 2 ** 20).toFixed(0);
