import { homedir } from "node:os";
import { isAbsolute, join } from "node:path";
import type { FileService, Lane } from "./file-tool.ts";
import { ownFolderAt } from "./paths/own-data.ts";
import { whileWatched, withStopFlag } from "./shared-numbers.ts";
import { WorkerLane } from "./worker-lane.ts";

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
  const newLane = (most: number, changes = false) =>
    new WorkerLane({ workerUrl, graceMs, ownData, most, changes });
  const lanes: Readonly<Record<Lane, WorkerLane>> = {
    read: newLane(READ_TOGETHER),
    // A search may take minutes, and must not hold up reading.
    search: newLane(1),
    // Nor must a disk that is slow to write.
    change: newLane(1, true),
  };
  const all = Object.values(lanes);
  return {
    ownData: ownData.map(({ path }) => path),
    homeTrash,
    run({ name, lane }, job, by, report = () => {}) {
      const request = { tool: name, job };
      // Most reads end within moments, and their thread is replaced where one does not.
      if (lane === "read") return lanes.read.submit(request, by);
      return withStopFlag(by.signal, (stop) =>
        lane === "change"
          ? lanes.change.submit({ ...request, stop }, by)
          : whileWatched(report, (walked) => lanes.search.submit({ ...request, stop, walked }, by)),
      );
    },
    draw: ({ name, lane }, job, by) => lanes[lane].submit({ tool: name, job, drawn: true }, by),
    rest() {
      for (const each of all) each.rest();
    },
    async close() {
      await Promise.all(all.map((each) => each.close()));
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
