import { Worker } from "node:worker_threads";
import type { ActivityPage, ActivityRow, SummaryStep } from "../../../app/bridge/views.ts";
import { storeError } from "../../../runtime/sqlite/store-error.ts";
import type { ActivityFilter, SummaryFilter } from "./activity-filter.ts";
import type { ReadingThread, VerifyProgress } from "./activity-reader.ts";
import type { FromReader, Question, ReaderData, ToReader } from "./reader-messages.ts";
import type { Verified, VerifyControls } from "./verify-steps.ts";

/** A step takes milliseconds; a thread that has not ended after this time is abandoned. */
const CLOSE_MS = 2_000;

interface Pending {
  readonly resolve: (value: unknown) => void;
  readonly reject: (error: unknown) => void;
  readonly progress: VerifyProgress;
}

/** The log's reader on its own thread, which the first query starts. */
export class ReaderThread implements ReadingThread {
  readonly #url: URL;
  readonly #data: ReaderData;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #asked = 0;
  #wasAsked = false;
  #closed = false;

  /** @param url the URL of `reader-worker` */
  constructor(url: URL, path: string) {
    this.#url = url;
    this.#data = { path };
  }

  // The worker returns its reader's answer to this query.
  page(filter: ActivityFilter): Promise<ActivityPage> {
    return this.#ask({ kind: "page", filter }) as Promise<ActivityPage>;
  }

  summary(filter: SummaryFilter): Promise<SummaryStep> {
    return this.#ask({ kind: "summary", filter }) as Promise<SummaryStep>;
  }

  lines(callId: string, agentId: string): Promise<readonly ActivityRow[]> {
    return this.#ask({ kind: "lines", callId, agentId }) as Promise<readonly ActivityRow[]>;
  }

  verify({ head, progress }: Omit<VerifyControls, "pause">): Promise<Verified> {
    return this.#ask({ kind: "verify", head }, progress) as Promise<Verified>;
  }

  /** Ends the thread if it was asked nothing since the last call. */
  rest(): void {
    if (!this.#wasAsked && this.#pending.size === 0) this.#stop();
    this.#wasAsked = false;
  }

  close(): void {
    this.#closed = true;
    this.#stop();
  }

  /**
   * Waits for the thread: if a database is closed before its readers, its companion files stay
   * behind.
   */
  #stop(): void {
    const worker = this.#worker;
    if (worker === undefined) return;
    const closed = new Int32Array(new SharedArrayBuffer(4));
    worker.postMessage({ kind: "close", closed } satisfies ToReader);
    Atomics.wait(closed, 0, 0, CLOSE_MS);
    void worker.terminate();
    this.#lost(worker, storeError("store_closed"));
  }

  #ask(question: Question, progress: VerifyProgress = () => {}): Promise<unknown> {
    if (this.#closed) return Promise.reject(storeError("store_closed"));
    this.#asked += 1;
    this.#wasAsked = true;
    const id = this.#asked;
    const worker = this.#ready();
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, progress });
      // Only a running query keeps the program from ending.
      worker.ref();
      worker.postMessage({ kind: "ask", id, question } satisfies ToReader);
    });
  }

  #ready(): Worker {
    if (this.#worker !== undefined) return this.#worker;
    const worker = new Worker(this.#url, { env: {}, execArgv: [], workerData: this.#data });
    worker.on("message", (message: FromReader) => this.#hear(message));
    const lost = (): void =>
      this.#lost(worker, storeError("store_unreadable", { details: "reader" }));
    worker.on("error", lost);
    worker.on("exit", lost);
    this.#worker = worker;
    return worker;
  }

  #hear(message: FromReader): void {
    const { id } = message;
    switch (message.kind) {
      case "answer":
        this.#settle(id)?.resolve(message.value);
        return;
      case "failed":
        this.#settle(id)?.reject(storeError(message.code, { details: message.details }));
        return;
      case "progress":
        this.#pending.get(id)?.progress(message.verified, message.total);
    }
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    if (this.#pending.size === 0) this.#worker?.unref();
    return pending;
  }

  /** The next query starts another thread. */
  #lost(worker: Worker | undefined, error: Error): void {
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }
}
