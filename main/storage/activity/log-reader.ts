import type { Database } from "better-sqlite3";
import type { ActivityPage, ActivityRow, SummaryStep } from "../../../app/bridge/views.ts";
import { toStoreError } from "../../../runtime/sqlite/store-error.ts";
import type { ActivityFilter, SummaryFilter } from "./activity-filter.ts";
import { PageReader } from "./page-reader.ts";
import { SummaryReader } from "./summary-reader.ts";
import { type Verified, type VerifyControls, VerifySteps } from "./verify-steps.ts";

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** All queries of the log, over a read-only connection. */
export class LogReader {
  readonly #db: Database;
  readonly #pages: PageReader;
  readonly #summaries: SummaryReader;
  readonly #verifying: VerifySteps;

  constructor(db: Database) {
    this.#db = db;
    this.#pages = new PageReader(db);
    this.#summaries = new SummaryReader(db);
    this.#verifying = new VerifySteps(db);
  }

  /** All four throw StoreError. */
  page(filter: ActivityFilter): Promise<ActivityPage> {
    return guarded(async () => this.#pages.page(filter));
  }

  lines(callId: string, agentId: string): Promise<readonly ActivityRow[]> {
    return guarded(async () => this.#pages.lines(callId, agentId));
  }

  summary(filter: SummaryFilter): Promise<SummaryStep> {
    return guarded(async () => this.#summaries.step(filter));
  }

  verify(controls: Omit<VerifyControls, "pause">): Promise<Verified> {
    return guarded(() => this.#verifying.verify({ ...controls, pause }));
  }

  close(): void {
    this.#db.close();
  }
}

async function guarded<T>(read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    throw toStoreError(error);
  }
}
