import { readdirSync, writeFileSync } from "node:fs";
import { afterEach, describe, expect, it } from "vitest";
import { PROGRAMS } from "../../../testing/built-programs.ts";
import { createDirectoryTool } from "../../create-directory.ts";
import { deleteFileTool } from "../../delete-file.ts";
import { editFileTool } from "../../edit-file.ts";
import { listDirectoryTool } from "../../list-directory.ts";
import { moveFileTool } from "../../move-file.ts";
import { failureOf, toolContext } from "../../testing/tool-context.ts";
import { writeFileTool } from "../../write-file.ts";
import { createFileService, homeTrashPath } from "../file-service.ts";
import type { FileService } from "../file-tool.ts";
import { ChangingHarness } from "./testing/changing-harness.ts";

const WORKER = PROGRAMS.fileWorker;
const never = toolContext();

const harness = ChangingHarness.forEachTest();
let service: FileService | undefined;

afterEach(() => service?.close());

function serve(workerUrl = WORKER, graceMs = 50): FileService {
  service = createFileService({ workerUrl, graceMs, homeTrash: harness.homeTrash });
  return service;
}

/** A worker for one test; it lists its own thread's number. */
const scripted = (body: string): URL =>
  new URL(
    `data:text/javascript,${encodeURIComponent(`
      import { parentPort, threadId } from "node:worker_threads";
      import fs from "node:fs";
      const until = (path) => { while (!fs.existsSync(path)) Atomics.wait(pause, 0, 0, 5); };
      const pause = new Int32Array(new SharedArrayBuffer(4));
      const answer = (tool, value) => parentPort.postMessage({ ok: true, tool, value });
      parentPort.on("message", ({ tool, job, stop }) => { ${body} });`)}`,
  );

/** Waits for a file created by the worker. */
async function appears(name: string): Promise<void> {
  while (!readdirSync(harness.base).includes(name)) {
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe("the real worker", () => {
  it("shows changes and makes them", async () => {
    const files = serve();
    const write = harness.writeJob(harness.inside("new"), "one\n");
    const { shown, seen } = await files.draw(writeFileTool, write, never);
    expect(shown).toMatchObject({ kind: "text_change", change: "create" });
    expect(await files.run(writeFileTool, { ...write, seen }, never)).toMatchObject({
      created: true,
    });
    const again = files.run(writeFileTool, { ...write, seen }, never);
    expect(await failureOf(again)).toBe("changed_since_shown");
    const edit = harness.editJob(harness.inside("new"), [{ old_text: "one", new_text: "two" }]);
    expect(await files.draw(editFileTool, edit, never)).toMatchObject({
      shown: { change: "edit" },
    });
    expect(await files.run(editFileTool, edit, never)).toMatchObject({
      replacements: 1,
      bytes_written: 4,
    });
    const make = harness.makeJob(harness.inside("a", "b"), true);
    expect(await files.run(createDirectoryTool, make, never)).toEqual({ created: true });
    const move = harness.moveJob(harness.inside("new"), harness.inside("a", "b", "c"));
    expect(await files.draw(moveFileTool, move, never)).toMatchObject({ shown: { kind: "entry" } });
    expect(await files.run(moveFileTool, move, never)).toEqual({ type: "file", overwrote: false });
    expect(harness.read("a", "b", "c")).toBe("two\n");
    if (process.platform !== "linux") return;
    const trash = harness.trashJob(harness.inside("a"));
    expect(await files.draw(deleteFileTool, trash, never)).toMatchObject({ shown: { entries: 2 } });
    expect(await files.run(deleteFileTool, trash, never)).toEqual({ type: "directory" });
    expect(harness.names()).toEqual(["file.txt", "folder", "folder/deep.txt"]);
  });

  it("passes words on, and trusts no job's path", async () => {
    const files = serve();
    const word = (path: string) =>
      failureOf(files.run(writeFileTool, harness.writeJob(path, "x"), never));
    expect(await word(harness.inside("folder"))).toBe("is_a_directory");
    expect(await word(harness.beside("new"))).toBe("outside_roots");
    const shown = files.draw(deleteFileTool, harness.trashJob(harness.inside("missing")), never);
    expect(await failureOf(shown)).toBe("not_found");
  });

  it("makes no change that was cancelled before it began", async () => {
    const change = serve().run(
      writeFileTool,
      harness.writeJob(harness.inside("new"), "x"),
      toolContext({ signal: AbortSignal.abort() }),
    );
    expect(await failureOf(change)).toBe("cancelled");
    expect(harness.names()).not.toContain("new");
  });
});

describe("a change that hangs", () => {
  const HANGS = scripted(`
    if (tool === "list_directory") return answer(tool, { entries: [], next_after: String(threadId), names_skipped: 0 });
    if (job.path.endsWith("quick")) return answer(tool, { thread: threadId });
    fs.writeFileSync(job.rootPath + "/../started", "");
    until(job.rootPath + "/../go");
    fs.writeFileSync(job.rootPath + "/../finished-" + Atomics.load(stop, 0), "");
    answer(tool, {});`);

  it("is told to stop, but let finish its step while others go on without it", async () => {
    const files = serve(HANGS, 1);
    const abort = new AbortController();
    const hung = files.run(
      writeFileTool,
      harness.writeJob(harness.inside("slow"), "x"),
      toolContext({ signal: abort.signal }),
    );
    await appears("started");
    abort.abort();
    expect(await failureOf(hung)).toBe("cancelled");
    // Answered by another thread, so the first one was abandoned, and is still working.
    const quick = files.run(writeFileTool, harness.writeJob(harness.inside("quick"), "x"), never);
    expect(await failureOf(quick)).toBe("no failure");
    expect(readdirSync(harness.base)).not.toContain("finished-1");
    writeFileSync(harness.beside("go"), "");
    await appears("finished-1");
  });

  it("keeps nobody's reading waiting", async () => {
    const files = serve(HANGS, 1);
    const abort = new AbortController();
    const hung = failureOf(
      files.run(
        writeFileTool,
        harness.writeJob(harness.inside("slow"), "x"),
        toolContext({ signal: abort.signal }),
      ),
    );
    await appears("started");
    const listed = files.run(
      listDirectoryTool,
      { rootPath: harness.root, path: harness.root },
      never,
    );
    expect(await failureOf(listed)).toBe("no failure");
    abort.abort();
    writeFileSync(harness.beside("go"), "");
    expect(await hung).toBe("cancelled");
    await appears("finished-1");
  });
});

describe("a worker that answers something else", () => {
  it("is not believed", async () => {
    const files = serve(scripted(`answer("move_file", {});`));
    const change = files.run(writeFileTool, harness.writeJob(harness.inside("f"), "x"), never);
    expect(await failureOf(change)).toBe("internal_error");
    const preview = files.draw(writeFileTool, harness.writeJob(harness.inside("f"), "x"), never);
    expect(await failureOf(preview)).toBe("internal_error");
  });
});

describe("the person's trash", () => {
  it("lies where the desktop's specifications say", () => {
    expect(homeTrashPath("/data", "/home/me")).toBe("/data/Trash");
    expect(homeTrashPath(undefined, "/home/me")).toBe("/home/me/.local/share/Trash");
    expect(homeTrashPath("", "/home/me")).toBe("/home/me/.local/share/Trash");
    expect(homeTrashPath("data", "/home/me")).toBe("/home/me/.local/share/Trash");
  });
});
