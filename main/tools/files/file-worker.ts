import { parentPort, workerData } from "node:worker_threads";
import { ToolFailure } from "../../../app/execution/ports.ts";
import type { FileAnswer, FileJob, FileWorkerData } from "./file-jobs.ts";
import { keepOutOf } from "./paths/own-data.ts";
import { performJob } from "./perform-job.ts";
import { throwIfStopped } from "./stop-flag.ts";

/**
 * The thread that accesses files, so that a hung network mount blocks only itself. One job at a
 * time, answered in order; `file-service.ts` replaces the thread when a job does not end.
 */

// Electron's fs would treat `x.asar` as a folder; here it is an ordinary file.
Object.assign(process, { noAsar: true });

const { ownData, dropped } = workerData as FileWorkerData;
keepOutOf(ownData);
let count = 0;

async function answer(job: FileJob): Promise<FileAnswer> {
  const place = count % dropped.length;
  count += 1;
  try {
    throwIfStopped(dropped, place);
    return { ok: true, kind: job.kind, value: await performJob(job) };
  } catch (error) {
    return { ok: false, word: error instanceof ToolFailure ? error.word : "internal_error" };
  }
}

parentPort?.on("message", async (job: FileJob) => parentPort?.postMessage(await answer(job)));
