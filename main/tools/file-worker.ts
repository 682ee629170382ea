import { parentPort } from "node:worker_threads";
import { assertNever } from "../../app/contract/assert-never.ts";
import { ToolFailure } from "../../app/execution/ports.ts";
import type { FileAnswer, FileJob, FileResult } from "./file-jobs.ts";
import { listEntries } from "./list-entries.ts";
import { lookAt } from "./look-at.ts";
import { readLines } from "./read-lines.ts";
import { readSlice } from "./read-slice.ts";
import { searchTree } from "./search-tree.ts";

/**
 * The thread that touches files, so that a hung network mount stops only itself. One job at a
 * time, answered in order; `file-service.ts` replaces the thread when a job will not end.
 */

// Electron's fs would open `x.asar` as a folder of its own; this file is only what it is.
Object.assign(process, { noAsar: true });

function perform(job: FileJob): FileResult {
  switch (job.kind) {
    case "read":
      return { kind: "read", slice: readSlice(job) };
    case "list":
      return { kind: "list", listing: listEntries(job) };
    case "lines":
      return { kind: "lines", slice: readLines(job) };
    case "info":
      return { kind: "info", info: lookAt(job) };
    case "search":
      return { kind: "search", found: searchTree(job) };
    default:
      return assertNever(job);
  }
}

function answer(job: FileJob): FileAnswer {
  try {
    return { ok: true, result: perform(job) };
  } catch (error) {
    return { ok: false, word: error instanceof ToolFailure ? error.word : "internal_error" };
  }
}

parentPort?.on("message", (job: FileJob) => {
  const reply = answer(job);
  const bytes = reply.ok && "slice" in reply.result ? [reply.result.slice.bytes.buffer] : [];
  parentPort?.postMessage(reply, bytes);
});
