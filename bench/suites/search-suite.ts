import { join } from "node:path";
import type { Store } from "../../main/storage/index.ts";
import { seedLog } from "../../scripts/audit/seeding/seed-log.ts";
import type { Flags } from "../flags.ts";
import type { ReportRow } from "../report.ts";
import { timedFromDisk } from "./audit-cold.ts";
import { type Filter, rowOf, timed } from "./audit-pages.ts";
import { endOfLog, openedAt } from "./opened-later.ts";
import type { SuiteParts, SuiteResult } from "./suite.ts";

const LIMIT = 50;
/** So that no two of a round are the same, and what one reads does not serve the next. */
const STRIDE = 7;

/** The page asks so: what is typed may also be the beginning of a call's ID. */
const typed = (text: string): Filter => ({ about: text, call_id: text });

/** What is typed, a different one each time. The seeded log has these (`PlausibleCalls`). */
const QUESTIONS: Readonly<Record<string, (at: number) => Filter>> = {
  "a rare file": (at) => typed(fileAt(19_000 + ((at * STRIDE) % 1_000), at % 8)),
  "a file that is used all the time": (at) => typed(fileAt(at % 10, at % 8)),
  "a file's name": (at) => typed(`file-${10_000 + ((at * STRIDE) % 10_000)}.ts`),
  "a common folder": (at) => typed(at % 9 === 8 ? "/home/ada" : `/home/ada/project-${at % 8}`),
  "a host": (at) => typed(`host-${(at * STRIDE) % 500}.example`),
  "a program": () => typed("git"),
  "a name that no call has": (at) => typed(`never-${at}.md`),
  "an agent, and a folder": (at) => ({
    ...typed(`/home/ada/project-${at % 8}`),
    agent_id: `agt_seed${String(at % 12).padStart(2, "0")}`,
  }),
  "an agent, and a rare file": (at) => ({
    ...typed(fileAt(19_000 + ((at * STRIDE) % 1_000), at % 8)),
    agent_id: `agt_seed${String(at % 12).padStart(2, "0")}`,
  }),
  "a folder, and a rare ending": (at) => ({
    ...typed(`/home/ada/project-${at % 8}`),
    status: "interrupted",
  }),
};

const fileAt = (file: number, project: number): string =>
  `/home/ada/project-${project}/src/part-${file % 40}/file-${file}.ts`;

/** The first page of what is typed into the log's search, from the disk and from memory. */
export async function searchSuite({ flags, folder, say }: SuiteParts): Promise<SuiteResult> {
  const dataDir = flags.seeded ?? join(folder, "seeded");
  if (flags.seeded === null) {
    say(`Seeding ${flags.records} records.`);
    seedLog({ dataDir, count: flags.records, now: Date.now(), seed: 1 });
  }
  const now = endOfLog(dataDir);
  const open = () => openedAt(dataDir, () => now);
  say("From the disk.");
  const cold = await timedFromDisk(open, dataDir, flags.rounds, (round) =>
    Object.entries(QUESTIONS).map(([name, filterAt]) => [
      name,
      ({ activity }) => activity.page({ ...filterAt(round), limit: LIMIT }),
    ]),
  );
  say("From memory.");
  const store = open();
  const warm = await firstPages(store, flags);
  store.close();
  return {
    about: `${flags.rounds} rounds of ${flags.calls} first pages of ${LIMIT} lines; from the disk one a round; ${flags.seeded ?? `${flags.records} records`}`,
    rows: [...warm, ...cold],
    comparisons: [],
    notes: cold.length > 0 ? [] : ["Nothing was read from the disk: there is no GNU dd here."],
  };
}

/** Questions take turns, as when a person types one after the other. */
async function firstPages(store: Store, { rounds, calls }: Flags): Promise<readonly ReportRow[]> {
  const samples = new Map<string, number[]>();
  await store.activity.page({ limit: LIMIT });
  for (let at = 0; at < rounds * calls; at += 1) {
    for (const [name, filterAt] of Object.entries(QUESTIONS)) {
      const page = store.activity.page({ ...filterAt(at), limit: LIMIT });
      await timed(page, samples, name);
    }
  }
  return [...samples].map(([name, times]) => rowOf(name, times));
}
