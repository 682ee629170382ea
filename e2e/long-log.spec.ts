import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "./support/fixtures.ts";
import { logLinesIn, seedLogIn } from "./support/log-lines.ts";
import { dropDataDir, newDataDir, startProgram } from "./support/program.ts";

/**
 * A folder that `npm run audit -- seed 10000000 --data-dir FOLDER/data` has filled, with
 * XDG_CONFIG_HOME=FOLDER/config: read instead of a short log made here.
 */
const SEEDED = process.env.CONSENTRY_SEEDED_LOG;
const RECORDS = 12_000;
/** What remembering where each page began may take, in bytes. */
const GROWTH = 64 * 1024 * 1024;
/** How often memory is told of while a seeded log is walked, in stops. */
const TELL_AFTER = 500;

interface Stop {
  /** Lines on the screen, from the top down. */
  readonly lines: readonly number[];
  /** Lines read so far. */
  readonly known: number;
  /** Nothing older is left to read. */
  readonly whole: boolean;
}

/** Scrolls to the end of what was read, and waits until that is drawn and nothing is being read. */
function nextStop(main: Page): Promise<Stop> {
  return main.evaluate(async () => {
    const list = document.querySelector<HTMLElement>('[data-testid="activity-list"]');
    if (list === null) throw new Error("there is no log on this page");
    const inView = (): number[] => {
      const view = list.getBoundingClientRect();
      return [...list.querySelectorAll<HTMLElement>("[data-line]")]
        .map((row) => ({ place: row.getBoundingClientRect(), line: Number(row.dataset.line) }))
        .filter(({ place }) => place.bottom > view.top + 1 && place.top < view.bottom - 1)
        .sort((one, other) => one.place.top - other.place.top)
        .map(({ line }) => line);
    };
    list.scrollTop = list.scrollHeight;
    for (let idle = 0; idle < 2; ) {
      await new Promise((resolve) => requestAnimationFrame(resolve));
      idle = list.dataset.phase === "idle" && inView().length > 0 ? idle + 1 : 0;
    }
    return {
      lines: inView(),
      known: Number(list.dataset.lines),
      whole: list.dataset.whole === "true",
    };
  });
}

interface Walk {
  readonly known: number;
  /** Lines that were not older than the one above them. */
  readonly disordered: number;
  /** Lines on the screen at the stop that showed fewest. */
  readonly fewest: number;
}

async function walkToTheEnd(main: Page): Promise<Walk> {
  let above = Number.POSITIVE_INFINITY;
  let disordered = 0;
  let fewest = Number.POSITIVE_INFINITY;
  let known = 0;
  for (let count = 1; ; count += 1) {
    const stop = await nextStop(main);
    for (const line of stop.lines) {
      // A stop may begin with the lines that the one before ended with.
      if (line > above) disordered += 1;
      above = line;
    }
    fewest = Math.min(fewest, stop.lines.length);
    if (stop.whole && stop.known === known) return { known, disordered, fewest };
    known = stop.known;
    if (SEEDED !== undefined && count % TELL_AFTER === 0) {
      console.log(`${known} lines read, ${await heapOf(main)} bytes`);
    }
  }
}

async function heapOf(main: Page): Promise<number> {
  const session = await main.context().newCDPSession(main);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
}

test("a long log is scrolled to its end without a line left out, and memory stays", async ({
  browser,
  host,
}) => {
  if (SEEDED !== undefined) test.setTimeout(7_200_000);
  const folder = SEEDED ?? newDataDir();
  const dataDir = join(folder, "data");
  const env = { XDG_CONFIG_HOME: join(folder, "config") };
  if (SEEDED === undefined) seedLogIn(dataDir, RECORDS, env);
  const place = { dataDir, env, hubPort: 0, profile: null, electronPath: null };
  const program = await startProgram({ ...place, host, browser });
  try {
    const { main } = program;
    await main.getByTestId("nav-activity").click();
    await expect(main.getByTestId("activity-row").first()).toBeVisible();
    const atFirst = await heapOf(main);
    const walk = await walkToTheEnd(main);
    expect(walk.disordered).toBe(0);
    expect(walk.fewest).toBeGreaterThan(5);
    expect(walk.known).toBe(logLinesIn(dataDir));
    expect((await heapOf(main)) - atFirst).toBeLessThan(GROWTH);
  } finally {
    await program.stop();
    if (SEEDED === undefined) dropDataDir(folder);
  }
});
