import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { openToRead } from "../../../runtime/sqlite/open-database.ts";
import { storeError } from "../../../runtime/sqlite/store-error.ts";
import { LogReader } from "./log-reader.ts";
import type { FromReader, Question, ReaderData, ToReader } from "./reader-messages.ts";

/** Milliseconds between reports of progress. */
const PROGRESS_MS = 100;

/** The thread that reads the log, so that no page and no verification delays a call. */
function serve(port: MessagePort, path: string): void {
  const reader = new LogReader(openToRead(path));
  const say = (message: FromReader): void => port.postMessage(message);

  const answer = (question: Question, id: number): Promise<unknown> => {
    switch (question.kind) {
      case "page":
        return reader.page(question.filter);
      case "summary":
        return reader.summary(question.filter);
      case "lines":
        return reader.lines(question.callId, question.agentId);
      case "verify": {
        let toldAt = 0;
        const progress = (verified: number, total: number) => {
          if (performance.now() - toldAt < PROGRESS_MS) return;
          toldAt = performance.now();
          say({ kind: "progress", id, verified, total });
        };
        return reader.verify({ head: question.head, progress });
      }
    }
  };

  port.on("message", (message: ToReader) => {
    if (message.kind === "close") {
      reader.close();
      Atomics.store(message.closed, 0, 1);
      Atomics.notify(message.closed, 0);
      port.close();
    } else {
      const { id, question } = message;
      answer(question, id)
        .then((value) => say({ kind: "answer", id, value }))
        .catch((error: unknown) => say(failureOf(id, error)));
    }
  });
}

const failureOf = (id: number, error: unknown): FromReader =>
  storeError.is(error)
    ? { kind: "failed", id, code: error.code, details: error.details ?? "" }
    : { kind: "failed", id, code: "store_unreadable", details: "" };

if (parentPort !== null) {
  // The thread is always started with this data.
  const { path } = workerData as ReaderData;
  serve(parentPort, path);
}
