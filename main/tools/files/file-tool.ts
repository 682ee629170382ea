import type { JsonValue } from "../../../app/contract/json.ts";
import type { OwnTool } from "../../../app/contract/tools/tool-contract.ts";
import type {
  Held,
  Preflight,
  Preview,
  PreviewContext,
  Tool,
  ToolContext,
} from "../../../app/execution/ports.ts";
import type { Root } from "../../../app/grants/grant.ts";
import { defineTool } from "../define-tool.ts";
import { followingLinks } from "./paths/folder-links.ts";
import type { Ground, Place } from "./paths/folder-preflight.ts";
import type { PathPlatform } from "./paths/path-rules.ts";
import type { SharedNumbers } from "./shared-numbers.ts";
import type { JobOwner } from "./worker-lane.ts";

/** Which of the threads does it: short reads, reads that may take minutes, and changes wait for their own kind only. */
export type Lane = "read" | "search" | "change";

/** How the thread that does a job is reached meanwhile. */
export interface JobControl {
  /** Once it is not 0, the job ends with `cancelled`. A job that only reads may have none. */
  readonly stop: SharedNumbers;
  /** The number of entries walked so far. */
  readonly walked: SharedNumbers;
}

/** In a job: `Preview.seen` of what the person was shown; null: nothing. */
export interface Seen {
  readonly seen: string | null;
}

/** What a file tool does on the main thread, and what the file worker does for it. */
interface Steps<Arguments, Job, Result> {
  readonly preflight: (args: Arguments, held: Held, ground: Ground) => Preflight | null;
  /**
   * The worker's job: plain values, because they are cloned between threads.
   * @param seen as in `ToolContext`
   * @throws ToolFailure if a folder was taken from the agent since the preflight
   */
  readonly job: (
    args: Arguments,
    roots: readonly Root[],
    ground: Ground,
    seen: string | null,
  ) => Job;
  /** In the worker. @throws ToolFailure */
  readonly perform: (job: Job, control: JobControl) => Result | Promise<Result>;
  /** Where the job changes something, so that it can be taken back. */
  readonly changes?: (job: Job, args: Arguments) => readonly ChangedPlace[];
  /** In the worker: what the person is shown of it. Changes nothing. @throws ToolFailure */
  readonly draw?: (job: Job) => Preview;
  /** Before the person is asked, where nothing is drawn. @throws ToolFailure */
  readonly look?: (
    args: Arguments,
    by: PreviewContext,
    files: FileService,
    ground: Ground,
  ) => Promise<Preview>;
}

/** Work of the file worker's. */
export interface FileJob<Job = never, Result = unknown> {
  readonly name: string;
  readonly lane: Lane;
  readonly perform: (job: Job, control: JobControl) => Result | Promise<Result>;
}

/** Where a call changes something. */
export interface ChangedPlace extends Place {
  /** What is here goes there, whole. */
  readonly moved_to?: Place;
}

/** Keeps what files hold before a call changes them. */
export interface Snapshots {
  /** Runs what changes these places. */
  around<T>(
    call: Pick<ToolContext, "agent_id" | "call_id" | "conversation_id"> & {
      readonly tool_name: string;
      readonly scope: string;
    },
    places: readonly ChangedPlace[],
    signal: AbortSignal,
    run: () => Promise<T>,
  ): Promise<T>;
}

/** A tool whose work the file worker does. */
export interface FileTool<Job = never, Result extends JsonValue = JsonValue>
  extends FileJob<Job, Result> {
  readonly draw: ((job: Job) => Preview) | null;
  on(files: FileService, platform: PathPlatform, snapshots?: Snapshots): Tool;
}

/** File operations off the main thread. Every method throws only ToolFailure. */
export interface FileService {
  /** Our own folders, with every link resolved; no tool may reach them. */
  readonly ownData: readonly string[];
  /** The home trash of the freedesktop.org specification, whether or not it exists. */
  readonly homeTrash: string;
  /**
   * Does a tool's job. When the signal aborts, it throws `cancelled` at once; a change is then not
   * made, unless its last step had already begun.
   * @param report called from time to time with the number of entries walked so far
   */
  run<Job, Result>(
    tool: FileJob<Job, Result>,
    job: Job,
    by: JobOwner,
    report?: (entries: number) => void,
  ): Promise<Result>;
  /** What the person is shown of a job that changes something. */
  draw<Job>(tool: FileTool<Job>, job: Job, by: JobOwner): Promise<Preview>;
  close(): Promise<void>;
}

type FileContract<Arguments, Result> = Pick<OwnTool, "name" | "nature" | "takesLong" | "scope"> & {
  readonly acceptsArguments: (args: unknown) => args is Arguments;
  readonly isResult: (result: unknown) => result is Result;
};

export function fileTool<Arguments, Result extends JsonValue, Job>(
  contract: FileContract<Arguments, Result>,
  steps: Steps<Arguments, Job, NoInfer<Result>>,
): FileTool<Job, Result> {
  const { name, nature, takesLong, scope } = contract;
  const { perform, draw = null, look } = steps;
  const slow = takesLong === true ? "search" : "read";
  const tool: FileTool<Job, Result> = {
    name,
    lane: nature.reads_only ? slow : "change",
    perform,
    draw,
    on(files, platform, snapshots) {
      const { ownData, homeTrash } = files;
      const ground = { platform, ownData, homeTrash };
      const defined = defineTool<Arguments, Result>(contract, {
        preflight: (args, held) => steps.preflight(args, held, ground),
        ...(draw && {
          preview: async (args, by) =>
            files.draw(tool, steps.job(args, by.roots, ground, null), by),
        }),
        ...(look && { preview: (args, by) => look(args, by, files, ground) }),
        async run(args, by) {
          const job = steps.job(args, by.roots, ground, by.seen);
          const places = steps.changes?.(job, args) ?? [];
          const run = () =>
            files.run(tool, job, by, (done) => by.progress({ done, total: null, unit: "entries" }));
          return snapshots === undefined || places.length === 0
            ? run()
            : snapshots.around({ ...by, tool_name: name, scope }, places, by.signal, run);
        },
      });
      return followingLinks(defined, platform);
    },
  };
  return tool;
}
