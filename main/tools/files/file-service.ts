import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { Preview } from "../../../app/execution/ports.ts";
import type {
  Change,
  FileValues,
  InfoJob,
  LinesJob,
  ListJob,
  PreviewJob,
  ReadJob,
  SearchJob,
} from "./file-jobs.ts";
import { ownFolderAt } from "./paths/own-data.ts";
import { whileWatched, withStopFlag } from "./stop-flag.ts";
import { type JobOwner, WorkerLane } from "./worker-lane.ts";

/** Changes to files. Every method throws only ToolFailure. */
export interface FileChanges {
  /** Our own folders, with every link resolved; no tool may reach them. */
  readonly ownData: readonly string[];
  /** The home trash of the freedesktop.org specification, whether or not it exists. */
  readonly homeTrash: string;
  /**
   * Makes a change. When its signal aborts, it throws `cancelled` at once; the change is then not
   * made, unless its last step had already begun.
   */
  change<K extends Change["kind"]>(
    job: Change & { readonly kind: K },
    by: JobOwner,
  ): Promise<FileValues[K]>;
  preview(of: PreviewJob["of"], by: JobOwner): Promise<Preview>;
}

/** File operations off the main thread. Every method throws only ToolFailure. */
export interface FileService extends FileChanges {
  readSlice(job: Omit<ReadJob, "kind">, by: JobOwner): Promise<FileValues["read"]>;
  readLines(job: Omit<LinesJob, "kind">, by: JobOwner): Promise<FileValues["lines"]>;
  list(job: Omit<ListJob, "kind">, by: JobOwner): Promise<FileValues["list"]>;
  info(job: Omit<InfoJob, "kind">, by: JobOwner): Promise<FileValues["info"]>;
  /** `report` is called from time to time with the number of entries walked so far. */
  search(
    job: Omit<SearchJob, "kind" | "stop" | "walked">,
    by: JobOwner,
    report?: (entries: number) => void,
  ): Promise<FileValues["search"]>;
  close(): Promise<void>;
}

export interface FileServiceOptions {
  /** `file-worker.ts` when run from source, the bundled `file-worker.js` otherwise. */
  readonly workerUrl: URL;
  /** How long a cancelled job may still run before its thread is replaced, in milliseconds. */
  readonly graceMs?: number;
  /** The person's own trash, whether or not it exists; used on Linux only. */
  readonly homeTrash?: string;
  /** Our own folders, which must exist; no tool reaches anything in them. */
  readonly ownData?: readonly string[];
}

/** How many jobs that only read their thread is given at once (docs/performance.md). */
const READ_TOGETHER = 4;

interface Resting {
  /** Ends threads that have had no job since the last call. */
  rest(): void;
}

/** The first job starts the first thread. Throws if one of our own folders does not exist. */
export function createFileService(options: FileServiceOptions): FileService & Resting {
  const { workerUrl, graceMs = 50 } = options;
  const { homeTrash = homeTrashPath(process.env.XDG_DATA_HOME) } = options;
  const ownData = (options.ownData ?? []).map(ownFolderAt);
  const newLane = (most: number) => new WorkerLane({ workerUrl, graceMs, ownData, most });
  const lane = newLane(READ_TOGETHER);
  // A search may take minutes, and must not hold up reading.
  const searchLane = newLane(1);
  // Nor must a disk that is slow to write.
  const changeLane = newLane(1);
  const lanes = [lane, searchLane, changeLane];
  return {
    ownData: ownData.map(({ path }) => path),
    homeTrash,
    readSlice: (job, by) => lane.submit({ ...job, kind: "read" }, by),
    readLines: (job, by) => lane.submit({ ...job, kind: "lines" }, by),
    list: (job, by) => lane.submit({ ...job, kind: "list" }, by),
    info: (job, by) => lane.submit({ ...job, kind: "info" }, by),
    search: (job, by, report = () => {}) =>
      withStopFlag(by.signal, (stop) =>
        whileWatched(report, (walked) =>
          searchLane.submit({ ...job, kind: "search", stop, walked }, by),
        ),
      ),
    change: <K extends Change["kind"]>(job: Change & { readonly kind: K }, by: JobOwner) =>
      withStopFlag(by.signal, (stop) => changeLane.submit<K>(Object.assign({ stop }, job), by)),
    preview: (of, by) => changeLane.submit({ kind: "preview", of }, by),
    rest() {
      for (const each of lanes) each.rest();
    },
    async close() {
      await Promise.all(lanes.map((each) => each.close()));
    },
  };
}

/**
 * `$XDG_DATA_HOME/Trash`: a person's own trash, according to the freedesktop.org Trash
 * specification. A variable that is no absolute path is ignored (XDG Base Directory specification).
 */
export function homeTrashPath(dataHome: string | undefined, home: string = homedir()): string {
  const base = dataHome !== undefined && isAbsolute(dataHome) ? dataHome : undefined;
  return join(base ?? join(home, ".local", "share"), "Trash");
}
