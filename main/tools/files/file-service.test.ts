import { once } from "node:events";
import { mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Worker } from "node:worker_threads";
import { afterEach, beforeEach, expect, it } from "vitest";
import { PROGRAMS } from "../../testing/built-programs.ts";
import { scratchFolder } from "../../testing/scratch-folder.ts";
import { listDirectoryTool } from "../list-directory.ts";
import { readFileTool } from "../read-file.ts";
import { failureOf, toolContext } from "../testing/tool-context.ts";
import { createFileService } from "./file-service.ts";
import type { FileService } from "./file-tool.ts";
import { sharedNumbers } from "./shared-numbers.ts";
import type { FileRequest } from "./worker-lane.ts";

const WORKER = PROGRAMS.fileWorker;
const never = toolContext();

let base: string;
let service: FileService | undefined;

beforeEach(() => {
  base = scratchFolder();
});

afterEach(() => service?.close());

const serve = (): FileService => {
  service = createFileService({ workerUrl: WORKER });
  return service;
};

it("reads text and bytes", async () => {
  const files = serve();
  const path = join(base, "f");
  writeFileSync(path, "\ufeffné");
  const job = { rootPath: base, path, offset: 0 };
  expect(await files.run(readFileTool, { ...job, encoding: "utf-8" }, never)).toEqual({
    content: "\ufeffné",
    encoding: "utf-8",
    offset: 0,
    length: 6,
    size_bytes: 6,
    end_of_file: true,
  });
  const bytes = await files.run(
    readFileTool,
    { ...job, offset: 4, length: 1, encoding: "base64" },
    never,
  );
  expect(bytes).toMatchObject({ content: "ww==", offset: 4, length: 1, end_of_file: false });
  const none = await files.run(readFileTool, { ...job, offset: 99, encoding: "base64" }, never);
  expect(none).toMatchObject({ content: "", length: 0, end_of_file: true });
});

it("lists folders", async () => {
  mkdirSync(join(base, "b"));
  writeFileSync(join(base, "a"), "");
  expect(await serve().run(listDirectoryTool, { rootPath: base, path: base }, never)).toEqual({
    entries: [
      { name: "a", type: "file", size_bytes: 0 },
      { name: "b", type: "directory" },
    ],
    next_after: null,
    names_skipped: 0,
  });
});

it("passes words on and goes on working", async () => {
  const files = serve();
  const job = { rootPath: base, offset: 0, encoding: "utf-8" as const };
  const word = (path: string): Promise<string> =>
    failureOf(files.run(readFileTool, { ...job, path }, never));
  symlinkSync("/etc/passwd", join(base, "link"));
  expect(await word(join(base, "missing"))).toBe("not_found");
  expect(await word(join(base, "link"))).toBe("not_a_regular_file");
  expect(await word("/etc/passwd")).toBe("outside_roots");
  expect(await word(base)).toBe("is_a_directory");
  expect(await files.run(listDirectoryTool, { rootPath: base, path: base }, never)).toMatchObject({
    entries: [{ name: "link", type: "symlink" }],
  });
});

it("does not begin a job that was dropped", async () => {
  writeFileSync(join(base, "f"), "text");
  const dropped = sharedNumbers(2);
  Atomics.store(dropped, 1, 1);
  const worker = new Worker(WORKER, { workerData: { ownData: [], dropped } });
  const job = { rootPath: base, path: join(base, "f"), offset: 0, encoding: "utf-8" as const };
  const answerTo = async (asked: FileRequest) => {
    const told = once(worker, "message");
    worker.postMessage(asked);
    return (await told)[0];
  };
  const read: FileRequest = { tool: "read_file", job };
  expect(await answerTo(read)).toMatchObject({ ok: true, value: { content: "text" } });
  expect(await answerTo(read)).toEqual({ ok: false, word: "cancelled" });
  expect(await answerTo(read)).toMatchObject({ ok: true });
  await worker.terminate();
});
