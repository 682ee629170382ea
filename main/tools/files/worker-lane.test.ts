import { execFileSync } from "node:child_process";
import { closeSync, constants, openSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { listDirectoryTool } from "../list-directory.ts";
import { readFileTool } from "../read-file.ts";
import { failureOf, toolContext } from "../testing/tool-context.ts";
import { createFileService } from "./file-service.ts";
import type { FileService } from "./file-tool.ts";
import type { JobOwner } from "./worker-lane.ts";

const never = toolContext();

/** A worker for one test. It answers with `{ ok: true }` lists unless its body says otherwise. */
const scripted = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, workerData } from "node:worker_threads";
      import fs from "node:fs";
      const answer = (name) => parentPort.postMessage({ ok: true,
        tool: "list_directory", value: { entries: [{ name, type: "file" }] } });
      parentPort.on("message", ({ job }) => { ${body} });`)}`,
  );

/** Never returns to its event loop, like a hung network mount. */
const HANGS_ON_HANG = scripted(`
  if (job.path === "/hang") { fs.writeFileSync(job.rootPath, ""); for (;;) fs.statSync("/"); }
  answer(job.path);`);

let base: string;
let service: FileService | undefined;

beforeEach(() => {
  base = scratchFolder();
});

afterEach(() => service?.close());

const serve = (workerUrl: URL, graceMs = 50): FileService => {
  service = createFileService({ workerUrl, graceMs });
  return service;
};

const NAMES_ITS_THREAD = scripted(`
  answer(String(process.getBuiltinModule("node:worker_threads").threadId));`);

/** Lists a folder of this name, which scripted workers only read. */
const list = (files: FileService, path: string, by: JobOwner = never, rootPath = "/") =>
  files.run(listDirectoryTool, { rootPath, path }, by);
const nameIn = async (work: ReturnType<typeof list>): Promise<string | undefined> =>
  (await work).entries[0]?.name;

/** Waits for a file created by the worker. */
async function appears(path: string): Promise<void> {
  const name = path.slice(base.length + 1);
  while (!readdirSync(base).includes(name)) await new Promise((resolve) => setImmediate(resolve));
}

describe("agents", () => {
  it("take turns, however many jobs one of them has", async () => {
    const files = serve(scripted(`answer(job.path);`));
    const order: string[] = [];
    const read = (agent_id: string) =>
      list(files, "/", toolContext({ agent_id })).then(() => order.push(agent_id));
    await Promise.all([...Array<string>(20).fill("loud"), "quiet"].map(read));
    // Behind those that the thread was given already.
    expect(order.indexOf("quiet")).toBeLessThanOrEqual(5);
    expect(order).toHaveLength(21);
  });
});

describe("cancelling", () => {
  it("refuses a signal that has aborted before, without starting anything", async () => {
    const files = serve(new URL("file:///nowhere.js"));
    const work = files.run(
      listDirectoryTool,
      { rootPath: "/r", path: "/r" },
      toolContext({ signal: AbortSignal.abort() }),
    );
    expect(await failureOf(work)).toBe("cancelled");
  });

  it("rejects at once while the job hangs, and the ones behind it run in a new thread", async () => {
    const files = serve(HANGS_ON_HANG);
    const abort = new AbortController();
    const started = join(base, "started");
    const hung = failureOf(list(files, "/hang", toolContext({ signal: abort.signal }), started));
    const behind = ["/1", "/2", "/3"].map((path) => nameIn(list(files, path)));
    await appears(started);
    abort.abort();
    expect(await hung).toBe("cancelled");
    expect(await Promise.all(behind)).toEqual(["/1", "/2", "/3"]);
  });

  it("drops a job that still waits and never sends it to the worker", async () => {
    const files = serve(scripted(`fs.appendFileSync(job.rootPath, job.path); answer(job.path);`));
    const abort = new AbortController();
    const log = join(base, "log");
    const given = ["/1", "/2", "/3", "/4"].map((path) => list(files, path, never, log));
    const dropped = failureOf(list(files, "/5", toolContext({ signal: abort.signal }), log));
    const last = list(files, "/6", never, log);
    abort.abort();
    expect(await dropped).toBe("cancelled");
    await Promise.all([...given, last]);
    expect(execFileSync("cat", [log], { encoding: "utf8" })).toBe("/1/2/3/4/6");
  });

  it("of a job that the thread was given, but has not begun, leaves the thread to the one before it", async () => {
    // Within it, a busy machine's thread must say that it did not begin.
    const GRACE_MS = 200;
    const go = join(base, "go");
    const files = serve(
      scripted(`
        globalThis.n = (globalThis.n ?? 0) + 1;
        globalThis.seen = (globalThis.seen ?? "") + workerData.dropped[n - 1];
        if (job.path === "/slow") {
          fs.writeFileSync(job.rootPath, "");
          while (!fs.existsSync(${JSON.stringify(go)}));
        }
        answer(n + ": " + seen);`),
      GRACE_MS,
    );
    const abort = new AbortController();
    const started = join(base, "started");
    const slow = nameIn(list(files, "/slow", never, started));
    const cancelled = failureOf(list(files, "/1", toolContext({ signal: abort.signal })));
    await appears(started);
    abort.abort();
    expect(await cancelled).toBe("cancelled");
    // Longer than it takes until a hanging thread is replaced.
    await new Promise((resolve) => setTimeout(resolve, 2.5 * GRACE_MS));
    writeFileSync(go, "");
    // A new thread would count from one. The thread was told not to begin the second.
    expect([await slow, await nameIn(list(files, "/2"))]).toEqual(["1: 0", "3: 010"]);
  });

  it("of a job that hangs behind another replaces the thread once it is its turn", async () => {
    const files = serve(HANGS_ON_HANG, 1);
    const abort = new AbortController();
    const started = join(base, "started");
    const before = nameIn(list(files, "/1"));
    const hung = failureOf(list(files, "/hang", toolContext({ signal: abort.signal }), started));
    const behind = nameIn(list(files, "/2"));
    // What is done is answered, although the next job never ends.
    expect(await before).toBe("/1");
    await appears(started);
    abort.abort();
    expect(await hung).toBe("cancelled");
    expect(await behind).toBe("/2");
  });

  it("of a job behind one that hangs is not followed by doing it", async () => {
    const done = join(base, "done");
    const files = serve(
      scripted(`
        if (job.path === "/hang") { fs.writeFileSync(job.rootPath, ""); for (;;) fs.statSync("/"); }
        fs.appendFileSync(${JSON.stringify(done)}, job.path);
        answer(job.path);`),
    );
    const [first, second] = [new AbortController(), new AbortController()];
    const started = join(base, "started");
    const hung = failureOf(list(files, "/hang", toolContext({ signal: first.signal }), started));
    const dropped = failureOf(list(files, "/1", toolContext({ signal: second.signal })));
    const last = nameIn(list(files, "/2"));
    await appears(started);
    second.abort();
    first.abort();
    expect([await hung, await dropped, await last]).toEqual(["cancelled", "cancelled", "/2"]);
    expect(execFileSync("cat", [done], { encoding: "utf8" })).toBe("/2");
  });

  it("keeps the thread when a cancelled job ends by itself soon", async () => {
    const files = serve(
      scripted(`globalThis.n = (globalThis.n ?? 0) + 1; answer(String(globalThis.n));`),
      60_000,
    );
    const abort = new AbortController();
    const cancelled = failureOf(list(files, "/1", toolContext({ signal: abort.signal })));
    const next = nameIn(list(files, "/2"));
    abort.abort();
    expect(await cancelled).toBe("cancelled");
    // A new thread would count from one. The cancelled job's answer must reach nobody.
    expect(await next).toBe("2");
  });

  it("cancels everything when it is closed, and takes nothing more", async () => {
    const files = serve(HANGS_ON_HANG);
    const started = join(base, "started");
    const hung = failureOf(list(files, "/hang", never, started));
    const waiting = failureOf(list(files, "/1"));
    await appears(started);
    await files.close();
    expect([await hung, await waiting]).toEqual(["cancelled", "cancelled"]);
    expect(await failureOf(list(files, "/1"))).toBe("cancelled");
  });
});

describe("threads that cannot end", () => {
  it("are not piled up: past four of them work fails at once, until one has ended", async (ctx) => {
    if (process.platform !== "linux") return ctx.skip("needs a system call that blocks for good");
    const fifo = join(base, "fifo");
    execFileSync("mkfifo", [fifo]);
    // Opening a FIFO without a writer blocks in the kernel, where no thread can be stopped.
    const files = serve(
      scripted(`
        if (job.path === "/hang") { fs.writeFileSync(job.rootPath, ""); fs.openSync("${fifo}", "r"); }
        answer(job.path);`),
    );
    for (let turn = 0; turn < 4; turn += 1) {
      const abort = new AbortController();
      const started = join(base, `started-${turn}`);
      const hung = failureOf(list(files, "/hang", toolContext({ signal: abort.signal }), started));
      await appears(started);
      abort.abort();
      expect(await hung).toBe("cancelled");
    }
    const refused = failureOf(list(files, "/1"));
    expect(await refused).toBe("io_error");
    const writer = openSync(fifo, constants.O_RDWR | constants.O_NONBLOCK);
    let word = "io_error";
    while (word === "io_error") {
      await new Promise((resolve) => setImmediate(resolve));
      word = await failureOf(list(files, "/2"));
    }
    closeSync(writer);
    expect(word).toBe("no failure");
  });
});

describe("a worker that fails", () => {
  it("costs the running job only", async () => {
    const files = serve(scripted(`if (job.path === "/die") process.exit(3); answer(job.path);`));
    const dying = failureOf(list(files, "/die"));
    const next = ["/1", "/2", "/3"].map((path) => nameIn(list(files, path)));
    expect(await dying).toBe("internal_error");
    expect(await Promise.all(next)).toEqual(["/1", "/2", "/3"]);
  });

  it("that cannot even be loaded gives a coded failure", async () => {
    const files = serve(new URL("./no-such-worker.ts", import.meta.url));
    expect(await failureOf(list(files, "/x"))).toBe("internal_error");
  });

  it("that answers something else than was asked is not believed", async () => {
    const files = serve(scripted(`answer("x");`));
    const job = { rootPath: "/r", path: "/r/f", offset: 0, encoding: "utf-8" as const };
    expect(await failureOf(files.run(readFileTool, job, never))).toBe("internal_error");
  });
});

it("ends a thread that has had no job since it was last asked to, and starts another for the next", async () => {
  const files = createFileService({ workerUrl: NAMES_ITS_THREAD });
  service = files;
  const first = await nameIn(list(files, "a"));
  files.rest();
  expect(await nameIn(list(files, "b"))).toBe(first);
  files.rest();
  const running = nameIn(list(files, "c"));
  files.rest();
  files.rest();
  expect(await running).toBe(first);
  files.rest();
  files.rest();
  expect(await nameIn(list(files, "d"))).not.toBe(first);
});
