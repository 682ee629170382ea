import type { ChainHead, ChainVerdict } from "../../../app/audit/verify-chain.ts";
import type { ActivityPage, ActivityRow, SummaryStep } from "../../../app/bridge/views.ts";
import type { SubjectDigests } from "../subjects/subject-digests.ts";
import type { ActivityFilter, LineFilter, SummaryFilter } from "./activity-filter.ts";
import type { Verified } from "./verify-steps.ts";

/** Records verified so far, and the total. */
export type VerifyProgress = (verified: number, total: number) => void;

/** A filter as the person gives it. */
type Asked<Filter extends LineFilter> = Omit<Filter, "subject"> & {
  /** What calls are about: a path, a name, a folder, a host or a program. */
  readonly about?: string | null;
};

/**
 * Reads the log. It cannot write, because its connections are read-only. Every promise may reject
 * with StoreError.
 */
export type ActivityReader = Pick<StoredActivity, "page" | "summary" | "lines" | "verify">;

/** A reader on this thread or another one. */
export interface ReadingThread {
  page(filter: ActivityFilter): Promise<ActivityPage>;
  summary(filter: SummaryFilter): Promise<SummaryStep>;
  lines(callId: string, agentId: string): Promise<readonly ActivityRow[]>;
  verify(controls: {
    readonly head: ChainHead;
    readonly progress: VerifyProgress;
  }): Promise<Verified>;
  /** Returns once its connection is closed. */
  close(): void;
}

/** What only the writer of the log knows and a reader cannot see in the file. */
export interface WriterKnowledge {
  /** The last durable record. */
  readonly head: () => ChainHead;
  /** Number of a record that is missing although it was never purged; or null. */
  readonly lostSeq: () => number | null;
  /** The line with what it was about, if that is kept. */
  readonly withTarget: (row: ActivityRow) => ActivityRow;
  /** Fills the indexes up to the end of the log; that of subjects only for a search. Never rejects. */
  readonly fillIndexes: (isSearch: boolean) => Promise<void>;
}

export class StoredActivity {
  readonly #thread: ReadingThread;
  readonly #writer: WriterKnowledge;
  #subjects: SubjectDigests | undefined;

  constructor(thread: ReadingThread, writer: WriterKnowledge) {
    this.#thread = thread;
    this.#writer = writer;
  }

  keepSubjects(digests: SubjectDigests): void {
    this.#subjects = digests;
  }

  /** Newest first. A page may have fewer lines than the limit although there is a next one. */
  async page(filter: Asked<ActivityFilter>): Promise<ActivityPage> {
    await this.#writer.fillIndexes(filter.about != null);
    const { rows, ...page } = await this.#thread.page(this.#digested(filter));
    return { ...page, rows: rows.map(this.#writer.withTarget) };
  }

  /** Counts a part of what the filter selects; with `next_before_seq` it goes on (`countAll`). */
  async summary(filter: Asked<SummaryFilter>): Promise<SummaryStep> {
    await this.#writer.fillIndexes(filter.about != null);
    return this.#thread.summary(this.#digested(filter));
  }

  #digested<Filter extends LineFilter>({ about, ...filter }: Asked<Filter>) {
    const subject = about == null ? null : (this.#subjects?.ofTyped(about) ?? null);
    return { ...filter, subject };
  }

  /** The newest 20 lines under one call id, newest first. */
  async lines(callId: string, agentId: string): Promise<readonly ActivityRow[]> {
    await this.#writer.fillIndexes(false);
    return (await this.#thread.lines(callId, agentId)).map(this.#writer.withTarget);
  }

  /** Verifies the whole log up to its end at the time of the call. */
  async verify(progress: VerifyProgress = () => {}): Promise<ChainVerdict> {
    const head = this.#writer.head();
    const { verdict, newest } = await this.#thread.verify({ head, progress });
    return this.#judge(verdict, newest);
  }

  #judge(verdict: ChainVerdict, newest: number): ChainVerdict {
    if (!verdict.ok) return verdict;
    const { verified } = verdict;
    // Read last, so that anything appended meanwhile is below the head.
    const { seq } = this.#writer.head();
    if (newest > seq) return { ok: false, verified, seq: seq + 1, fault: "inserted" };
    const lost = this.#writer.lostSeq();
    return lost === null ? verdict : { ok: false, verified, seq: lost, fault: "rolled_back" };
  }

  close(): void {
    this.#thread.close();
  }
}
