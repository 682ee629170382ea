import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { countAll } from "../../app/bridge/count-all.ts";
import type { Store } from "../../main/storage/index.ts";
import type { Flags } from "../flags.ts";
import { interleave } from "../interleave.ts";
import { compare, type ReportRow, reportOf, withCpu } from "../report.ts";
import { CALLS_AT_ONCE, digestedCalls } from "../subjects/digested-calls.ts";
import { startMeasured } from "../subjects/measured-process.ts";
import { timedFromDisk } from "./audit-cold.ts";
import { type Filter, rowOf, timed } from "./audit-pages.ts";
import { endOfLog, openedAt, seededFolder } from "./opened-later.ts";
import { Subjects, type SuiteParts, type SuiteResult } from "./suite.ts";

/** As many as the Activity page asks for at first. */
const LIMIT = 50;
/** First pages from the disk in each round. */
const COLD = 6;
const KEPT = `Digests of ${CALLS_AT_ONCE} calls, recurring ones kept`;
const ANEW = `Digests of ${CALLS_AT_ONCE} calls, each made anew`;
const SEARCHED = "Contract chain, durable log";
const UNSEARCHED = "The same without digests";
/** So that no two of a round are the same, and what one reads does not serve the next. */
const STRIDE = 7;

/** What the calls are about that a chart counts: few of them, a project's, and nearly all. */
const CHARTS: Readonly<Record<string, (at: number) => string>> = {
  "a host": (at) => `host-${(at * STRIDE) % 500}.example`,
  "a common folder": (at) => `/home/ada/project-${at % 8}`,
  "the folder above all": () => "/home/ada",
};

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

/** The first page of what is typed into the log's search, and what the search costs a call. */
export async function searchSuite(parts: SuiteParts): Promise<SuiteResult> {
  const { flags, say } = parts;
  const calls = await measureCalls(parts);
  const dataDir = seededFolder(parts);
  const now = endOfLog(dataDir);
  const open = () => openedAt(dataDir, () => now);
  say("From memory.");
  const store = open();
  const warm = [...(await firstPages(store, flags)), ...(await charts(store, flags))];
  store.close();
  say("From the disk.");
  const cold = await timedFromDisk(open, dataDir, flags.rounds * COLD, (round) =>
    Object.entries(QUESTIONS).map(([name, filterAt]) => [
      name,
      ({ activity }) => activity.page({ ...filterAt(round), limit: LIMIT }),
    ]),
  );
  return {
    about: `${flags.rounds} rounds of ${flags.calls} first pages of ${LIMIT} lines; from the disk ${COLD} a round; ${flags.seeded ?? `${flags.records} records`}`,
    rows: [...withCpu(reportOf(calls, null), calls), ...warm, ...cold],
    comparisons: compare(calls, [
      [KEPT, ANEW],
      [SEARCHED, UNSEARCHED],
    ]),
    notes: cold.length > 0 ? [] : ["Nothing was read from the disk: there is no GNU dd here."],
  };
}

/** With all that a call's transaction writes; indexing it is done once a minute, beside calls. */
async function measureCalls({ flags, folder, ending, say }: SuiteParts) {
  const subjects = new Subjects(ending);
  await subjects.add(Promise.resolve(digestedCalls(KEPT, "kept")));
  await subjects.add(Promise.resolve(digestedCalls(ANEW, "anew")));
  const chain = (name: string, search: string) => {
    const place = join(folder, search);
    mkdirSync(place);
    const args = ["durable", place, "4096", "0", "0", search];
    return startMeasured({ name, modes: [1, 32], entry: "chain.ts", args });
  };
  await subjects.add(chain(SEARCHED, "searched"));
  await subjects.add(chain(UNSEARCHED, "unsearched"));
  return interleave(subjects.all, flags, say);
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

/** All the counts above the list, and first pages while the longest is under way. */
async function charts(store: Store, { rounds }: Flags): Promise<readonly ReportRow[]> {
  const samples = new Map<string, number[]>();
  const count = (about: string) =>
    countAll({ step: (before) => store.activity.summary({ ...typed(about), before_seq: before }) });
  for (let at = 0; at < rounds; at += 1) {
    for (const [name, aboutAt] of Object.entries(CHARTS)) {
      await timed(count(aboutAt(at)), samples, `the chart: ${name}`);
    }
    let isCounting = true;
    const counting = count("/home/ada").finally(() => {
      isCounting = false;
    });
    while (isCounting) {
      const page = store.activity.page({ ...typed(`/home/ada/project-${at % 8}`), limit: LIMIT });
      await timed(page, samples, "a common folder, while a chart is counted");
    }
    await counting;
  }
  return [...samples].map(([name, times]) => rowOf(name, times));
}
