import { parentPort, workerData } from "node:worker_threads";
import { assertNever } from "../../../app/contract/assert-never.ts";
import { ToolFailure } from "../../../app/execution/ports.ts";
import type { FileAnswer, FileJob, FileValues, FileWorkerData, JobKind } from "./file-jobs.ts";
import { listEntries } from "./list-entries.ts";
import { lookAt } from "./look-at.ts";
import { keepOutOf } from "./paths/own-data.ts";
import { readLines } from "./read-lines.ts";
import { readSlice } from "./read-slice.ts";
import { searchTree } from "./search/search-tree.ts";
import { throwIfStopped } from "./stop-flag.ts";
import { drawChange, performChange } from "./writing/perform-change.ts";

/**
 * The thread that accesses files, so that a hung network mount blocks only itself. One job at a
 * time, answered in order; `file-service.ts` replaces the thread when a job does not end.
 */

// Electron's fs would treat `x.asar` as a folder; here it is an ordinary file.
Object.assign(process, { noAsar: true });

const { ownData, dropped } = workerData as FileWorkerData;
keepOutOf(ownData);
let count = 0;

function perform(job: FileJob): FileValues[JobKind] | Promise<FileValues[JobKind]> {
  switch (job.kind) {
    case "read":
      return readSlice(job);
    case "list":
      return listEntries(job);
    case "lines":
      return readLines(job);
    case "info":
      return lookAt(job);
    case "search":
      return searchTree(job);
    case "preview":
      return drawChange(job);
    case "write":
    case "edit":
    case "make_directory":
    case "move":
    case "trash":
      return performChange(job);
    default:
      return assertNever(job);
  }
}

async function answer(job: FileJob): Promise<FileAnswer> {
  const place = count % dropped.length;
  count += 1;
  try {
    throwIfStopped(dropped, place);
    return { ok: true, kind: job.kind, value: await perform(job) };
  } catch (error) {
    return { ok: false, word: error instanceof ToolFailure ? error.word : "internal_error" };
  }
}

parentPort?.on("message", async (job: FileJob) => parentPort?.postMessage(await answer(job)));
