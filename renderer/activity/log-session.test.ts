import { describe, expect, test, vi } from "vitest";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import type { ActivityRow } from "../../app/bridge/views.ts";
import type { LogQuery } from "./log-filter.ts";
import { FIRST_ROWS, LogSession, MOST_FRESH, MOST_ROWS, PAGE_ROWS } from "./log-session.ts";
import { SampleLog, sampleRow } from "./testing/sample-log.ts";

function openSession(log: SampleLog, query: LogQuery = {}) {
  const due: (() => void)[] = [];
  const end = new AbortController();
  const session = new LogSession(
    {
      page: (args) => log.page(args),
      after: (_delay, task) => due.push(task),
      signal: end.signal,
    },
    query,
  );
  session.start();
  const settled = () =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (["reading", "searching"].includes(session.store.getState().phase)) return;
        stop();
        resolve();
      };
      const stop = session.store.subscribe(look);
      look();
    });
  /** Runs the pending reads. */
  const tick = async () => {
    for (const task of due.splice(0)) task();
    await settled();
  };
  return { session, settled, tick, end };
}

/** The line numbers at these positions. */
const shown = (session: LogSession, first: number, last: number): readonly number[] =>
  session.store
    .getState()
    .rows.slice(first, last + 1)
    .map(({ line_id }) => line_id);
const count = (session: LogSession) => session.store.getState().rows.length;

async function lookAt(parts: ReturnType<typeof openSession>, first: number) {
  parts.session.show(first, first + 29);
  await parts.settled();
  return shown(parts.session, first, first + 29);
}

describe("a long log", () => {
  const LINES = 24_000;
  const lines = (first: number) => Array.from({ length: 30 }, (_, at) => LINES - first - at);

  test("is scrolled through without a missing line, as far as one list goes", async () => {
    const parts = openSession(new SampleLog(LINES, 10_000));
    for (let first = 0; first < MOST_ROWS - 30; first += 90) {
      expect(await lookAt(parts, first)).toEqual(lines(first));
    }
    await lookAt(parts, MOST_ROWS);
    expect(count(parts.session)).toBeLessThan(MOST_ROWS + PAGE_ROWS);
    expect(parts.session.store.getState()).toMatchObject({ phase: "idle" });
  });

  test("begins with a window full of lines, and goes on in larger pages", async () => {
    const log = new SampleLog(LINES, 10_000);
    const asked = vi.spyOn(log, "page");
    expect(await lookAt(openSession(log), 0)).toEqual(lines(0));
    expect(asked.mock.calls.map(([{ limit }]) => limit)).toEqual([FIRST_ROWS, PAGE_ROWS]);
  });

  test("drops what is far below once lines arrive at the top", async () => {
    const log = new SampleLog(LINES, 10_000);
    const parts = openSession(log);
    for (let first = 0; first <= 1_000; first += 90) await lookAt(parts, first);
    log.newest += 1;
    parts.session.show(0, 29);
    parts.session.accept(sampleRow(LINES + 1));
    await parts.tick();
    expect(count(parts.session)).toBe(2 * PAGE_ROWS);
    const last = LINES + 1 - 500;
    for (let first = 0; first <= 500; first += 90) await lookAt(parts, first);
    expect(shown(parts.session, 500, 500)).toEqual([last]);
  });
});

describe("lines that arrive", () => {
  test("stand on top at once while the newest is on the screen", async () => {
    const log = new SampleLog(1_000, 10_000);
    const parts = openSession(log);
    await lookAt(parts, 0);
    log.newest = 1_003;
    parts.session.accept(sampleRow(1_003));
    await parts.tick();
    expect(shown(parts.session, 0, 4)).toEqual([1_003, 1_002, 1_001, 1_000, 999]);
  });

  test("move nothing further down, and are counted once each", async () => {
    const log = new SampleLog(1_000, 10_000);
    const parts = openSession(log);
    const before = await lookAt(parts, 500);
    parts.session.show(500, 529);
    log.newest = 1_002;
    for (const seq of [1_001, 1_002, 1_002]) parts.session.accept(sampleRow(seq));
    parts.session.accept(sampleRow(1_003, { line_id: 400, status: "error" }));
    await parts.tick();
    expect(shown(parts.session, 500, 529)).toEqual(before);
    expect(parts.session.store.getState().fresh).toBe(2);
    parts.session.show(0, 29);
    await parts.settled();
    expect(parts.session.store.getState().fresh).toBe(0);
    expect(shown(parts.session, 0, 1)).toEqual([1_002, 1_001]);
  });

  test("are counted only as far as anybody reads", async () => {
    const parts = openSession(new SampleLog(10, 10_000));
    await parts.settled();
    parts.session.show(500, 529);
    for (let seq = 11; seq < 3_000; seq += 1) parts.session.accept(sampleRow(seq));
    expect(parts.session.store.getState().fresh).toBe(MOST_FRESH);
  });

  test("count only when they fit the filter", async () => {
    const parts = openSession(new SampleLog(10, 10_000), { agent_id: "a" });
    await parts.settled();
    parts.session.show(500, 529);
    parts.session.accept(sampleRow(11, { agent_id: "b" }));
    expect(parts.session.store.getState().fresh).toBe(0);
  });
});

describe("a search that finds little", () => {
  const rare = (seq: number): ActivityRow =>
    sampleRow(seq, { agent_id: seq % 25_000 === 0 ? "rare" : "a", timestamp: seq * 10 });

  test("goes on to the end of the log, and finds every line", async () => {
    const log = new SampleLog(100_000, 2_000, rare);
    const parts = openSession(log, { agent_id: "rare" });
    await parts.settled();
    expect(await lookAt(parts, 0)).toEqual([100_000, 75_000, 50_000, 25_000]);
  });

  test("tells how far back it looked, and can be stopped and taken up again", async () => {
    const parts = openSession(new SampleLog(100_000, 2_000, rare), { agent_id: "rare" });
    const stopped = new Promise<void>((resolve) => {
      const end = parts.session.store.subscribe(() => {
        const { phase, reached } = parts.session.store.getState();
        if (phase === "searching" && reached !== null && reached < 800_000) {
          end();
          parts.session.stopSearch();
          resolve();
        }
      });
    });
    await stopped;
    await parts.settled();
    expect(parts.session.store.getState()).toMatchObject({ phase: "stopped" });
    expect(shown(parts.session, 0, 9)).toEqual([100_000]);
    parts.session.resume();
    await parts.settled();
    expect(count(parts.session)).toBe(4);
  });
});

test("a failure is told, and the page is read when it is tried again", async () => {
  const log = new SampleLog(500, 10_000);
  const parts = openSession(log);
  await parts.settled();
  const read = log.page;
  Object.assign(log, { page: () => Promise.reject(bridgeError("disconnected")) });
  await lookAt(parts, 300);
  expect(parts.session.store.getState()).toMatchObject({
    phase: "failed",
    failure: "disconnected",
  });
  Object.assign(log, { page: read });
  parts.session.resume();
  await parts.settled();
  expect(shown(parts.session, 300, 302)).toEqual([200, 199, 198]);
});

test("nothing is read while the window is hidden", async () => {
  const log = new SampleLog(5_000, 10_000);
  const parts = openSession(log);
  await parts.settled();
  parts.session.setVisible(false);
  const { asked } = log;
  await lookAt(parts, 1_000);
  expect(log.asked).toBe(asked);
});
