import { spawnSync } from "node:child_process";
import { join } from "node:path";
import type { Store } from "../../main/storage/index.ts";
import type { ReportRow } from "../report.ts";
import { cutWeek, filtersFor, rowOf, timed } from "./audit-pages.ts";

const LIMIT = 50;

type Question = readonly [name: string, ask: (store: Store) => Promise<unknown>];

/** The first page of each filter, and the summaries, from the disk. */
export async function measureCold(
  open: () => Store,
  dataDir: string,
  now: number,
  rounds: number,
): Promise<readonly ReportRow[]> {
  const sampling = open();
  const filters = Object.entries(await filtersFor(sampling, now));
  sampling.close();
  const questions: readonly Question[] = [
    ...filters.map(
      ([name, filter]): Question => [
        name,
        ({ activity }) => activity.page({ ...filter, limit: LIMIT }),
      ],
    ),
    ["summary of everything", ({ activity }) => activity.summary({})],
    ["summary of a week, days cut", ({ activity }) => activity.summary(cutWeek(now))],
  ];
  return timedFromDisk(open, dataDir, rounds, () => questions);
}

/**
 * Each question of a file that is neither in the page cache nor in the reader's cache. Needs GNU dd
 * to remove it from the page cache; otherwise nothing is measured.
 */
export async function timedFromDisk(
  open: () => Store,
  dataDir: string,
  rounds: number,
  questionsOf: (round: number) => readonly Question[],
): Promise<readonly ReportRow[]> {
  const file = join(dataDir, "consentry.db");
  const samples = new Map<string, number[]>();
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, ask] of questionsOf(round)) {
      const store = open();
      try {
        // The thread is running, but has not read anything that will be measured.
        await store.activity.lines("", "");
        if (!dropFromCache(file)) return [];
        await timed(ask(store), samples, `from the disk: ${name}`);
      } finally {
        store.close();
      }
    }
  }
  return [...samples].map(([name, times]) => rowOf(name, times));
}

function dropFromCache(file: string): boolean {
  const args = [`if=${file}`, "iflag=nocache", "count=0", "status=none"];
  return spawnSync("dd", args, { stdio: "ignore" }).status === 0;
}
