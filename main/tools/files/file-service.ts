import type { GetFileInfoResult } from "../../../app/contract/tools/get-file-info.ts";
import type { ListDirectoryResult } from "../../../app/contract/tools/list-directory.ts";
import type { ReadFileResult } from "../../../app/contract/tools/read-file.ts";
import type { SearchFilesResult } from "../../../app/contract/tools/search-files.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
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
import { ownFolderAt } from "./paths/own-data.ts";
import { type Every, everySoOften, whileWatched } from "./search/walked-entries.ts";
import { withStopFlag } from "./stop-flag.ts";
import { WorkerLane } from "./worker-lane.ts";
import { type FileChanges, fileChanges } from "./writing/change-service.ts";
import { homeTrashPath } from "./writing/home-trash.ts";

/** File work off the main thread. Every method throws ToolFailure and nothing else. */
export interface FileService {
  /** Our own folders, without a link in them, which no tool reaches. */
  readonly ownData: readonly string[];
  readSlice(job: Omit<ReadJob, "kind">, signal: AbortSignal): Promise<ReadFileResult>;
  readLines(job: Omit<LinesJob, "kind">, signal: AbortSignal): Promise<ReadFileResult>;
  list(job: Omit<ListJob, "kind">, signal: AbortSignal): Promise<ListDirectoryResult>;
  info(job: Omit<InfoJob, "kind">, signal: AbortSignal): Promise<GetFileInfoResult>;
  /** `report` hears now and then how many entries have been walked so far. */
  search(
    job: Omit<SearchJob, "kind" | "stop" | "walked">,
    signal: AbortSignal,
    report?: (entries: number) => void,
  ): Promise<SearchFilesResult>;
  close(): Promise<void>;
}

export interface FileServiceOptions {
  /** `file-worker.ts` when run from source, the bundled `file-worker.js` otherwise. */
  readonly workerUrl: URL;
  /** Milliseconds that a cancelled job may still run before its thread is replaced. */
  readonly graceMs?: number;
  /** The person's own trash, there or not; only Linux asks for it. */
  readonly homeTrash?: string;
  /** Our own folders: they are there, and no tool reaches anything in them. */
  readonly ownData?: readonly string[];
  /** The clock by which a search is looked at; a test has its own. */
  readonly every?: Every;
}

/** No thread is started before the first job. Throws when a folder of our own is not there. */
export function createFileService(options: FileServiceOptions): FileService & FileChanges {
  const { workerUrl, graceMs = 50, every = everySoOften } = options;
  const { homeTrash = homeTrashPath(process.env.XDG_DATA_HOME) } = options;
  const own = (options.ownData ?? []).map(ownFolderAt);
  const ownData = own.map(({ path }) => path);
  const newLane = (): WorkerLane => new WorkerLane(workerUrl, graceMs, { ownData: own });
  const lane = newLane();
  // A search may take minutes; nobody's read waits behind it.
  const searchLane = newLane();
  // Nor behind a disk that is slow to write.
  const changeLane = newLane();
  return {
    ...fileChanges((job, signal) => changeLane.submit(job, signal), { homeTrash, ownData }),
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
    async search(job, signal, report = () => {}) {
      const result = await withStopFlag(signal, (stop) =>
        whileWatched(report, every, (walked) =>
          searchLane.submit({ ...job, kind: "search", stop, walked }, signal),
        ),
      );
      return expectKind(result, "search").found;
    },
    async close() {
      await Promise.all([lane.close(), searchLane.close(), changeLane.close()]);
    },
  };
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
