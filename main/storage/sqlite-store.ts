import { acknowledgementOf, firstLostOf } from "../../app/audit/rollback.ts";
import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { type OpenedDatabase, openToRead } from "../../runtime/sqlite/open-database.ts";
import { toStoreError } from "../../runtime/sqlite/store-error.ts";
import { StoredActivity } from "./activity/activity-reader.ts";
import { CallsTable } from "./activity/calls-table.ts";
import { LogReader } from "./activity/log-reader.ts";
import { ReaderThread } from "./activity/reader-thread.ts";
import { StoredAgents } from "./agent-store.ts";
import { AgentTable } from "./agent-table.ts";
import { AnchorWriter } from "./anchor-writer.ts";
import { AuditChain } from "./audit-chain.ts";
import { StoredCallLedger } from "./call-ledger.ts";
import { CallLog, CarriedOutTable, recoverInterrupted, recoverShown } from "./call-log.ts";
import { CallTargetTable, type TargetedLine, type TargetKeeping } from "./call-targets.ts";
import { type ConversationStore, StoredConversations } from "./conversations/conversation-store.ts";
import { contentSeal } from "./conversations/stored-item.ts";
import { StoredGrants } from "./grant-store.ts";
import { GroupCommit } from "./group-commit.ts";
import { KeptChanges, purgeKept } from "./kept-changes.ts";
import { StoredKeyRecords } from "./key-record-store.ts";
import { KnownCalls } from "./known-calls.ts";
import { Purge } from "./purge.ts";
import { PurgeRun } from "./purge-run.ts";
import { Reserve } from "./reserve.ts";
import { StoredRules } from "./rule-store.ts";
import { SEALED_BYTES_PER_AGENT, SealedResults } from "./sealed-results.ts";
import { StoredSettings } from "./settings-store.ts";
import type { MaintenanceReport, OpenedStore, Store, StoreOptions } from "./store.ts";
import { ClockLeads, StoredClock, StoreStateTable } from "./stored-clock.ts";
import { SubjectDigests } from "./subjects/subject-digests.ts";
import { SubjectTable } from "./subjects/subject-table.ts";
import { WriteAheadLog } from "./write-ahead-log.ts";

const ID_BYTES = 12;
/** Calls whose subjects are indexed in one transaction. */
const INDEXED_AT_ONCE = 100;

/** Everything stored, in one database. Call `begin` before anything else. */
export class SqliteStore implements Store {
  readonly ledger: StoredCallLedger;
  readonly activity: StoredActivity;
  readonly agents: StoredAgents;
  readonly grants: StoredGrants;
  readonly settings: StoredSettings;
  readonly clock: StoredClock;
  readonly keyRecords: StoredKeyRecords;
  readonly #db: OpenedDatabase["db"];
  readonly #group: GroupCommit;
  readonly #chain: AuditChain;
  readonly #calls: KnownCalls;
  readonly #table: CallsTable;
  readonly #subjects: SubjectTable;
  readonly #targets: CallTargetTable;
  readonly #log: CallLog;
  readonly #purgeRun: PurgeRun;
  readonly #wal: WriteAheadLog;
  /** Null: the log is read on this thread. */
  readonly #reading: ReaderThread | null;
  readonly #anchor: AnchorWriter | undefined;
  readonly #state: StoreStateTable;
  readonly #rules: StoredRules;
  readonly #random: StoreOptions["random"];
  /** Absent: the caller wanted none. */
  readonly #reserve: Reserve | undefined;
  #heard: (line: ActivityRow) => void = () => {};
  #writable: (isWritable: boolean) => void = () => {};
  #maintaining: Promise<MaintenanceReport> | undefined;

  constructor({ db, path }: OpenedDatabase, options: StoreOptions) {
    const { monotonic, readerWorker } = options;
    this.#db = db;
    this.#random = options.random;
    if (options.reserve === true) {
      this.#reserve = new Reserve(`${path}.reserve`, (isHeld) => this.#writable(isHeld));
    }
    this.#wal = new WriteAheadLog(db);
    this.#state = new StoreStateTable(db);
    const left = this.#state.read();
    const leads = new ClockLeads(db);
    this.#chain = new AuditChain(db, left?.head, (seq, timestamp) =>
      leads.note(seq, timestamp, this.clock.safeNow()),
    );
    this.clock = new StoredClock(options.wallClock, monotonic, left, this.#chain.lastRecordAt);
    this.#calls = new KnownCalls(db);
    this.#table = new CallsTable(db, this.#calls);
    const results = new SealedResults(db, options.sealedBytesPerAgent ?? SEALED_BYTES_PER_AGENT);
    const head = () => this.#chain.durableHead;
    this.#anchor = options.anchor && new AnchorWriter(options.anchor, head);
    const anchors = this.#anchor === undefined ? [] : [this.#anchor];
    const [table, calls] = [this.#table, this.#calls];
    this.#subjects = new SubjectTable(db);
    const subjects = this.#subjects;
    this.#targets = new CallTargetTable(db);
    const targets = this.#targets;
    const purge = new Purge({
      db,
      chain: this.#chain,
      table,
      subjects,
      leads,
      calls,
      results,
      targets,
      monotonic,
      retentionMs: options.retentionMs,
    });
    // The chain before the anchor, which stores what the chain reports as durable.
    const kept = [this.#chain, leads, calls, table, results, ...anchors];
    this.#group = new GroupCommit(db, [...kept, purge], () => this.#reserve?.release());
    const slice = () => purge.batch(this.clock.safeNow(), this.clock.now());
    this.#purgeRun = new PurgeRun({ group: this.#group, wal: this.#wal, slice, monotonic });
    const reports = new CarriedOutTable(db);
    this.#log = new CallLog({ chain: this.#chain, calls, results, table, reports, targets });
    this.ledger = new StoredCallLedger({
      group: this.#group,
      log: this.#log,
      calls,
      results,
      targets,
      random: options.random,
      now: () => this.clock.now(),
      isWritable: () => this.isWritable(),
      wrote: (line) =>
        this.#heard({ ...line, agent_name: this.agents.agent(line.agent_id)?.name ?? "" }),
    });
    const newId = (kind: string) => () =>
      `${kind}_${Buffer.from(options.random(ID_BYTES)).toString("hex")}`;
    this.#rules = new StoredRules(this.#group, db, newId("rule"));
    this.grants = new StoredGrants(this.#group, db, this.#rules);
    this.agents = new StoredAgents(
      this.#group,
      new AgentTable(db),
      this.grants,
      this.clock,
      newId("root"),
    );
    this.settings = new StoredSettings(this.#group, db);
    this.keyRecords = new StoredKeyRecords(this.#group, db);
    this.#reading = readerWorker === undefined ? null : new ReaderThread(readerWorker, path);
    const reader = this.#reading ?? new LogReader(openToRead(path));
    this.activity = new StoredActivity(reader, {
      withTarget: (row) => this.#targets.withTarget(row),
      head,
      lostSeq: () => this.#lostSeq(),
      fillIndexes: (isSearch) => this.#fillIndexes(isSearch),
    });
  }

  begin(startedAnew: boolean): Pick<OpenedStore, "interrupted" | "rolledBack"> {
    try {
      const safeNow = this.clock.safeNow();
      this.#anchor?.check(this.#db, startedAnew, safeNow);
      const rolledBack = this.#lostSeq() !== null;
      const interrupted = this.#group.runNow(() => {
        const intents = this.#calls.recall();
        this.#table.fill();
        recoverInterrupted(this.#db, this.#log, intents, this.clock.now());
        recoverShown(this.#log, this.#targets, this.clock.now());
        this.#rules.dropTasks();
        this.agents.dropTasks();
        this.#keepState(false);
        return intents.length;
      });
      this.#purgeRun.atOpening();
      this.#reserve?.take();
      return { interrupted, rolledBack };
    } catch (error) {
      this.#anchor?.stop();
      this.activity.close();
      this.#db.close();
      throw error;
    }
  }

  conversations(key: Uint8Array): ConversationStore {
    return new StoredConversations(this.#group, this.#db, key, this.#random);
  }

  keepSubjects(key: Uint8Array): void {
    const digests = new SubjectDigests(key);
    this.ledger.keepSubjects(digests);
    this.activity.keepSubjects(digests);
  }

  keepTargets(key: Uint8Array, targetOf: TargetKeeping["targetOf"]): void {
    this.#targets.keep({ seal: contentSeal(key, this.#random), targetOf });
  }

  targetOf(line: TargetedLine): CallTarget | undefined {
    return this.#targets.targetOf(line);
  }

  async forgetTargets(): Promise<void> {
    await this.#group.enqueue(() => this.#targets.clear());
  }

  keptChanges(key: Uint8Array): KeptChanges {
    return new KeptChanges(this.#group, this.#db, key, this.#random);
  }

  onLine(listener: (line: ActivityRow) => void): void {
    this.#heard = listener;
  }

  isWritable(): boolean {
    return this.#reserve?.isHeld ?? true;
  }

  onWritable(listener: (isWritable: boolean) => void): void {
    this.#writable = listener;
  }

  async tryWriting(): Promise<boolean> {
    try {
      await this.tick();
      this.#reserve?.take();
      return this.isWritable();
    } catch {
      return false;
    }
  }

  async tick(): Promise<void> {
    await this.#group.enqueue(() => this.#keepState(false));
  }

  /** A purge of millions takes longer than a minute: later callers wait for the same one. */
  maintain(): Promise<MaintenanceReport> {
    this.#maintaining ??= this.#maintain().finally(() => {
      this.#maintaining = undefined;
    });
    return this.#maintaining;
  }

  async #maintain(): Promise<MaintenanceReport> {
    await this.tick();
    await this.#indexSubjects();
    await purgeKept(this.#group, this.#db, this.clock.safeNow());
    return { purged: await this.#purgeRun.besideCalls() };
  }

  /** In steps of a few milliseconds, between which calls have their turn. */
  async #indexSubjects(): Promise<void> {
    const step = () => this.#subjects.index(INDEXED_AT_ONCE);
    while ((await this.#group.enqueue(step)) === INDEXED_AT_ONCE);
  }

  async acknowledgeRollbacks(): Promise<void> {
    const records = await this.#group.enqueue(() =>
      (this.#anchor?.breaks ?? []).map((each) => {
        const record = acknowledgementOf(each, this.clock.now());
        return this.#chain.append(record).record;
      }),
    );
    this.#anchor?.acknowledged(records);
  }

  rest(): void {
    this.#reading?.rest();
  }

  close(): void {
    if (!this.#db.open) return;
    try {
      this.#group.runNow(() => this.#keepState(true));
      this.#group.close();
      this.#wal.emptyNow();
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.activity.close();
      this.#group.close();
      this.#db.close();
      this.#anchor?.close();
    }
  }

  async settled(): Promise<void> {
    await this.#anchor?.settled();
  }

  /** On a full disk the page shows what there is. */
  async #fillIndexes(isSearch: boolean): Promise<void> {
    const fill = () => this.#group.enqueue(() => this.#table.fill());
    const filled = this.#table.isFull ? Promise.resolve() : fill();
    await filled.then(() => (isSearch ? this.#indexSubjects() : undefined)).catch(() => undefined);
  }

  #lostSeq(): number | null {
    return firstLostOf(this.#anchor?.breaks ?? []);
  }

  #keepState(clean: boolean): void {
    this.#table.fill();
    if (clean) this.#targets.takeShown();
    this.#state.write(clean, { ...this.clock.mark(), head: this.#chain.head });
  }
}
