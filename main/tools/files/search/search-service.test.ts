import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { PROGRAMS } from "../../../testing/built-programs.ts";
import { getFileInfoTool } from "../../get-file-info.ts";
import { readFileTool } from "../../read-file.ts";
import { searchFilesTool } from "../../search-files.ts";
import { failureOf, toolContext } from "../../testing/tool-context.ts";
import { createFileService } from "../file-service.ts";
import type { FileService } from "../file-tool.ts";
import { FileHarness } from "../testing/file-harness.ts";
import type { JobOwner } from "../worker-lane.ts";

const FILES = 20_000;
const never = toolContext();

const harness = new FileHarness();
let files: FileService;

beforeAll(() => {
  for (let folder = 0; folder < 100; folder += 1) {
    const path = harness.inside("big", `d${folder}`);
    mkdirSync(path, { recursive: true });
    for (let file = 0; file < FILES / 100; file += 1) {
      writeFileSync(join(path, `f${file}`), `${"some words\n".repeat(50)}last ${file}\n`);
    }
  }
  // Threads are never replaced here: a cancelled search must end by itself.
  files = createFileService({
    workerUrl: PROGRAMS.fileWorker,
    graceMs: 600_000,
  });
}, 60_000);

afterAll(async () => {
  await files.close();
  harness.remove();
}, 60_000);

const search = (path: string, by: JobOwner, text = "absent") =>
  files.run(
    searchFilesTool,
    {
      rootPath: harness.root,
      path,
      text,
      case_sensitive: true,
      include_hidden: false,
      max_results: 10,
    },
    by,
  );

const turns = async (count: number): Promise<void> => {
  for (let turn = 0; turn < count; turn += 1) await new Promise((done) => setImmediate(done));
};

describe("a search in the worker", () => {
  it("finds, lists, looks and reads lines through the one service", async () => {
    const path = harness.inside("big", "d7", "f3");
    expect(await search(harness.inside("big", "d7"), never, "last 3\n")).toMatchObject({
      matches: [{ path: "f3", line: 51, column: 1, preview: "last 3" }],
      files_searched: 200,
      truncated: null,
    });
    expect(await files.run(getFileInfoTool, { rootPath: harness.root, path }, never)).toMatchObject(
      {
        type: "file",
        size_bytes: 557,
      },
    );
    expect(
      await files.run(readFileTool, { rootPath: harness.root, path, line_start: 51 }, never),
    ).toEqual({
      content: "last 3\n",
      encoding: "utf-8",
      offset: 550,
      length: 7,
      size_bytes: 557,
      end_of_file: true,
      line_start: 51,
      lines: 1,
    });
    expect(await failureOf(search(harness.base, never))).toBe("outside_roots");
  });

  it("has really ended within 100 ms of being cancelled (best of 3), and delays no read", async () => {
    let best = Number.POSITIVE_INFINITY;
    for (let round = 0; round < 3; round += 1) {
      const abort = new AbortController();
      const long = failureOf(search(harness.inside("big"), toolContext({ signal: abort.signal })));
      // A read is not held up by the search: otherwise the search would be over by now.
      let over = false;
      const ended = long.then(() => {
        over = true;
      });
      const path = harness.inside("file.txt");
      await files.run(
        readFileTool,
        { rootPath: harness.root, path, offset: 0, encoding: "utf-8" },
        never,
      );
      expect(over).toBe(false);
      const from = performance.now();
      abort.abort();
      expect(await long).toBe("cancelled");
      await ended;
      // The lane answers the next search only when the thread is free again.
      await search(harness.inside("folder"), never);
      best = Math.min(best, performance.now() - from);
    }
    expect(best).toBeLessThan(100);
  });

  it("tells meanwhile how many entries it has walked, and nothing after its end", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    let over = false;
    const look = (): void => {
      if (over) return;
      vi.advanceTimersToNextTimer();
      setImmediate(look);
    };
    look();
    const told: number[] = [];
    const job = { case_sensitive: true, include_hidden: false, max_results: 10, text: "absent" };
    const path = harness.inside("big");
    await files.run(searchFilesTool, { rootPath: harness.root, path, ...job }, never, (entries) => {
      told.push(entries);
    });
    over = true;
    expect(vi.getTimerCount()).toBe(0);
    expect(told.length).toBeGreaterThan(0);
    expect(told).toEqual([...new Set(told)].toSorted((one, other) => one - other));
    expect(told.at(-1)).toBeLessThanOrEqual(FILES + 100);
  });

  it("leaves no descriptor behind after 1,000 cancelled searches", async (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs /proc/self/fd");
    await search(harness.inside("folder"), never);
    const before = readdirSync("/proc/self/fd").length;
    for (let round = 0; round < 1000; round += 1) {
      const abort = new AbortController();
      const work = failureOf(search(harness.inside("big"), toolContext({ signal: abort.signal })));
      await turns(round % 40);
      abort.abort();
      expect(await work).toBe("cancelled");
    }
    await search(harness.inside("folder"), never);
    expect(readdirSync("/proc/self/fd").length).toBe(before);
  }, 60_000);
});
