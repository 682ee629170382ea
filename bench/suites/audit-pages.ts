import type { Store } from "../../main/storage/index.ts";
import type { ReportRow } from "../report.ts";
import { quantile } from "../statistics.ts";

const DAY_MS = 24 * 3_600_000;
/** Pages read with each filter: the first and those after it. */
const PAGES = 6;
const LIMIT = 50;

export type Filter = Omit<Parameters<Store["activity"]["page"]>[0], "limit" | "before_seq">;

/** Typical filters, and some that find nothing or almost nothing. */
export async function filtersFor(
  store: Store,
  now: number,
): Promise<Readonly<Record<string, Filter>>> {
  const { rows } = await store.activity.page({ limit: 1, status: "ok", to: now - 10 * DAY_MS });
  const sample = rows[0];
  if (sample === undefined) throw new Error("the log is too small to be measured");
  const { agent_id, call_id, arguments_digest } = sample;
  const range = { from: now - 20 * DAY_MS, to: now - 15 * DAY_MS };
  return {
    "no filter": {},
    "status ok": { status: "ok" },
    "status interrupted": { status: "interrupted" },
    "status running": { status: "running" },
    "agent and status": { agent_id, status: "denied" },
    "agent, tool, scope, status, rule, time": {
      ...range,
      agent_id,
      tool_name: "write_file",
      scope: "filesystem:write",
      status: "error",
      decided_by: "person",
    },
    "time alone": range,
    "a combination nobody made": {
      agent_id,
      tool_name: "read_file",
      status: "ok",
      decided_by: "silent_low",
    },
    "a rare ending within an hour": { ...range, to: range.from + 3_600_000, status: "interrupted" },
    "a tool that is made up": { tool_name: "made_up_7" },
    "a tool never heard of": { tool_name: "no_such_tool" },
    "a whole call id": { call_id },
    "two digits of a call id": { call_id: call_id.slice(0, 2) },
    "one digit, and a rare ending": { call_id: call_id.slice(0, 1), status: "interrupted" },
    "one digit, agent, tool and time": {
      ...range,
      call_id: call_id.slice(0, 1),
      agent_id,
      tool_name: "run_command",
    },
    digest: { arguments_digest },
    "digest, agent and rule": { arguments_digest, agent_id, decided_by: "person" },
    "a file": { about: "/home/ada/project-3/src/part-7/file-1007.ts" },
    "a file that no call names": { about: "/home/ada/project-3/never.ts" },
    "a folder with all files": { about: "/home/ada" },
    "a folder, and a rare ending": { about: "/home/ada", status: "interrupted" },
    "a host": { about: "host-77.example" },
    "a program, and one digit": { about: "git", call_id: "0" },
    "digest and one digit": { arguments_digest, call_id: "0" },
  };
}

/** A week that covers only half of its first and last day. */
export const cutWeek = (now: number): Filter => ({
  from: now - 9.5 * DAY_MS,
  to: now - 2.5 * DAY_MS,
});

/**
 * Reads each filter's first page and the following ones repeatedly, alternating between filters.
 */
export async function measurePages(
  store: Store,
  now: number,
  rounds: number,
): Promise<readonly ReportRow[]> {
  const samples = new Map<string, number[]>();
  const filters = Object.entries(await filtersFor(store, now));
  for (let round = 0; round < rounds; round += 1) {
    for (const [name, filter] of filters) {
      const times = samples.get(name) ?? [];
      samples.set(name, times);
      await readPages(store, filter, times);
    }
    await timed(store.activity.summary({}), samples, "summary of everything");
    await timed(store.activity.summary(cutWeek(now)), samples, "summary of a week, days cut");
  }
  return [...samples].map(([name, times]) => rowOf(name, times));
}

async function readPages(store: Store, filter: Filter, times: number[]): Promise<void> {
  let before_seq: number | null = null;
  for (let page = 0; page < PAGES; page += 1) {
    const began = performance.now();
    const { next_before_seq } = await store.activity.page({ ...filter, limit: LIMIT, before_seq });
    times.push(performance.now() - began);
    before_seq = next_before_seq;
    if (before_seq === null) return;
  }
}

export async function timed(
  work: Promise<unknown>,
  samples: Map<string, number[]>,
  name: string,
): Promise<void> {
  const began = performance.now();
  await work;
  samples.set(name, [...(samples.get(name) ?? []), performance.now() - began]);
}

export const rowOf = (name: string, times: readonly number[]): ReportRow => ({
  name,
  inFlight: 1,
  calls: times.length,
  p50_ms: quantile(times, 0.5),
  p95_ms: quantile(times, 0.95),
  p99_ms: quantile(times, 0.99),
  calls_per_second: (times.length * 1_000) / times.reduce((sum, time) => sum + time, 0),
  cpu_ms: null,
  ratio: null,
});
