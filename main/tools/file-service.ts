import type { GetFileInfoResult } from "../../app/contract/tools/get-file-info.ts";
import type { ListDirectoryResult } from "../../app/contract/tools/list-directory.ts";
import type { ReadFileResult } from "../../app/contract/tools/read-file.ts";
import type { SearchFilesResult } from "../../app/contract/tools/search-files.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import type {
  FileResult,
  InfoJob,
  LinesJob,
  LinesSlice,
  ListJob,
  ReadJob,
  ReadSlice,
  SearchJob,
} from "./file-jobs.ts";
import { WorkerLane } from "./worker-lane.ts";

/** File work off the main thread. Every method throws ToolFailure and nothing else. */
export interface FileService {
  readSlice(job: Omit<ReadJob, "kind">, signal: AbortSignal): Promise<ReadFileResult>;
  readLines(job: Omit<LinesJob, "kind">, signal: AbortSignal): Promise<ReadFileResult>;
  list(job: Omit<ListJob, "kind">, signal: AbortSignal): Promise<ListDirectoryResult>;
  info(job: Omit<InfoJob, "kind">, signal: AbortSignal): Promise<GetFileInfoResult>;
  search(job: Omit<SearchJob, "kind" | "stop">, signal: AbortSignal): Promise<SearchFilesResult>;
  close(): Promise<void>;
}

export interface FileServiceOptions {
  /** `file-worker.ts` when run from source, the bundled `file-worker.js` otherwise. */
  readonly workerUrl: URL;
  /** Milliseconds that a cancelled job may still run before its thread is replaced. */
  readonly graceMs?: number;
}

/** No thread is started before the first job. */
export function createFileService({ workerUrl, graceMs = 50 }: FileServiceOptions): FileService {
  const lane = new WorkerLane(workerUrl, graceMs);
  // A search may take minutes; nobody's read waits behind it.
  const searchLane = new WorkerLane(workerUrl, graceMs);
  return {
    async readSlice(job, signal) {
      const result = await lane.submit({ ...job, kind: "read" }, signal);
      return toReadResult(job, expectKind(result, "read").slice);
    },
    async readLines(job, signal) {
      const result = await lane.submit({ ...job, kind: "lines" }, signal);
      return toLinesResult(job, expectKind(result, "lines").slice);
    },
    async list(job, signal) {
      const result = await lane.submit({ ...job, kind: "list" }, signal);
      return expectKind(result, "list").listing;
    },
    async info(job, signal) {
      const result = await lane.submit({ ...job, kind: "info" }, signal);
      return expectKind(result, "info").info;
    },
    async search(job, signal) {
      const result = await withStop(signal, (stop) =>
        searchLane.submit({ ...job, kind: "search", stop }, signal),
      );
      return expectKind(result, "search").found;
    },
    async close() {
      await Promise.all([lane.close(), searchLane.close()]);
    },
  };
}

/** The signal as a number that the worker sees while it works: no message reaches it then. */
async function withStop<T>(
  signal: AbortSignal,
  work: (stop: SearchJob["stop"]) => Promise<T>,
): Promise<T> {
  const stop = new Int32Array(new SharedArrayBuffer(4));
  const onAbort = (): void => void Atomics.store(stop, 0, 1);
  signal.addEventListener("abort", onAbort, { once: true });
  try {
    return await work(stop);
  } finally {
    signal.removeEventListener("abort", onAbort);
  }
}

function expectKind<K extends FileResult["kind"]>(
  result: FileResult,
  kind: K,
): Extract<FileResult, { kind: K }> {
  if (result.kind !== kind) throw new ToolFailure("internal_error");
  return result as Extract<FileResult, { kind: K }>;
}

function toReadResult(job: Omit<ReadJob, "kind">, slice: ReadSlice): ReadFileResult {
  return {
    content: decode(slice.bytes, job.encoding),
    encoding: job.encoding,
    offset: job.offset,
    length: slice.bytes.length,
    size_bytes: slice.size_bytes,
    end_of_file: slice.end_of_file,
  };
}

function toLinesResult(job: Omit<LinesJob, "kind">, slice: LinesSlice): ReadFileResult {
  const { offset, lines } = slice;
  const bytes = toReadResult({ ...job, offset, encoding: "utf-8" }, slice);
  return { ...bytes, line_start: job.line_start, lines };
}

function decode(bytes: Uint8Array<ArrayBuffer>, encoding: ReadJob["encoding"]): string {
  if (encoding === "base64") return Buffer.from(bytes.buffer).toString("base64");
  try {
    // A byte order mark is content: dropping it would make `content` shorter than `length`.
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new ToolFailure("not_text");
  }
}
