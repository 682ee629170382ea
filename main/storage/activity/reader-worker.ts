import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openForFolding, openForReading } from "../open-database.ts";
import { StoreError } from "../store-error.ts";
import { LogReader } from "./log-reader.ts";
import type { FromReader, Question, ReaderData, ToReader } from "./reader-messages.ts";

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
        return fold(path);
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
async function fold(path: string): Promise<number> {
  const db = openForFolding(path);
  try {
    const [result] = db.pragma("wal_checkpoint(PASSIVE)") as [{ readonly log: number }];
    return result.log;
  } finally {
    db.close();
  }
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
