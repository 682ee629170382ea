import { parentPort, workerData } from "node:worker_threads";
import { toolFailure } from "../../../app/execution/ports.ts";
import { FILE_TOOLS } from "../file-tools.ts";
import type { FileJob, FileTool } from "./file-tool.ts";
import { KEEPING_JOBS } from "./keeping/kept-place.ts";
import { keepOutOf } from "./paths/own-data.ts";
import { sharedNumbers, throwIfStopped } from "./shared-numbers.ts";
import type { FileAnswer, FileRequest, FileWorkerData } from "./worker-lane.ts";

/**
 * The thread that accesses files, so that a hung network mount blocks only itself. One job at a
 * time, answered in order; `worker-lane.ts` replaces the thread when a job does not end.
 */

// Electron's fs would treat `x.asar` as a folder; here it is an ordinary file.
Object.assign(process, { noAsar: true });

const { ownData, dropped } = workerData as FileWorkerData;
keepOutOf(ownData);
let count = 0;

const TOOLS: ReadonlyMap<string, FileTool> = new Map(Object.entries(FILE_TOOLS));
const JOBS: ReadonlyMap<string, FileJob> = new Map(
  [...Object.values(FILE_TOOLS), ...KEEPING_JOBS].map((job) => [job.name, job]),
);
const UNWATCHED = sharedNumbers();

async function answer({ tool: name, job, drawn, stop, walked }: FileRequest): Promise<FileAnswer> {
  const place = count % dropped.length;
  count += 1;
  try {
    throwIfStopped(dropped, place);
    const work = drawn ? TOOLS.get(name)?.draw : JOBS.get(name)?.perform;
    if (work === undefined || work === null) throw toolFailure("internal_error");
    // The lane was given the job by the same tool.
    const value = await work(job as never, {
      stop: stop ?? UNWATCHED,
      walked: walked ?? UNWATCHED,
    });
    return { ok: true, tool: name, value };
  } catch (error) {
    return { ok: false, word: toolFailure.is(error) ? error.code : "internal_error" };
  }
}

parentPort?.on("message", async (job: FileRequest) => parentPort?.postMessage(await answer(job)));
