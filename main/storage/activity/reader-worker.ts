import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import type { Database } from "better-sqlite3";
import { openForFolding, openForReading } from "../open-database.ts";
import { StoreError } from "../store-error.ts";
import { copied, truncated } from "../write-ahead-log.ts";
import { LogReader } from "./log-reader.ts";
import type { FromReader, Question, ReaderData, ToReader } from "./reader-messages.ts";

/** Turns that one folding takes at most. */
const FOLD_TURNS = 4;
/** Progress is told this often at most, in milliseconds. */
const PROGRESS_MS = 100;

/** The thread that reads the log, so that no page and no verification holds up a call. */
function serve(port: MessagePort, path: string): void {
  const reader = new LogReader(openForReading(path));
  const running = new Map<number, AbortController>();
  const say = (message: FromReader): void => port.postMessage(message);

  const answer = (question: Question, id: number, signal: AbortSignal): Promise<unknown> => {
    switch (question.kind) {
      case "page":
        return reader.page(question.filter);
      case "summary":
        return reader.summary(question.filter);
      case "lines":
        return reader.lines(question.callId, question.agentId);
      case "fold":
        return folding(path, fold);
      case "empty":
        return folding(path, truncated);
      case "verify": {
        let toldAt = 0;
        const progress = (verified: number, total: number) => {
          if (performance.now() - toldAt < PROGRESS_MS) return;
          toldAt = performance.now();
          say({ kind: "progress", id, verified, total });
        };
        return reader.verify({ head: question.head, progress, signal });
      }
    }
  };

  port.on("message", (message: ToReader) => {
    if (message.kind === "cancel") {
      running.get(message.id)?.abort();
    } else if (message.kind === "close") {
      reader.close();
      Atomics.store(message.closed, 0, 1);
      Atomics.notify(message.closed, 0);
      port.close();
    } else {
      const { id, question } = message;
      const control = new AbortController();
      running.set(id, control);
      answer(question, id, control.signal)
        .then((value) => say({ kind: "answer", id, value }))
        .catch((error: unknown) => say(failureOf(id, error)))
        .finally(() => running.delete(id));
    }
  });
}

/** A connection for each time: it could write, so it is there no longer than it is needed. */
async function folding<T>(path: string, work: (db: Database) => T): Promise<T> {
  const db = openForFolding(path);
  try {
    return work(db);
  } finally {
    db.close();
  }
}

/**
 * Only a turn that copies everything there is asks the disk to keep it. What is written during one
 * is little, and the next one's: so the last of them has little to wait for.
 */
function fold(db: Database): number {
  const { log, checkpointed } = copied(db);
  for (let turn = 1, done = checkpointed === log; !done && turn < FOLD_TURNS; turn += 1) {
    const next = copied(db);
    done = next.checkpointed === next.log;
  }
  return log;
}

const failureOf = (id: number, error: unknown): FromReader =>
  error instanceof StoreError
    ? { kind: "failed", id, code: error.code, detail: error.detail }
    : { kind: "failed", id, code: "store_unreadable", detail: null };

if (parentPort !== null) {
  // Whoever started the thread gave it exactly this.
  const { path } = workerData as ReaderData;
  serve(parentPort, path);
}
