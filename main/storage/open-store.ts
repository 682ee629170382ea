import type { CallLedger } from "../../app/execution/ports.ts";
import { type ActivityReader, StoredActivity } from "./activity-reader.ts";
import { type AgentReader, type AgentWriter, StoredAgents } from "./agent-store.ts";
import { AgentTable } from "./agent-table.ts";
import { AnsweredCalls } from "./answered-calls.ts";
import { AuditChain } from "./audit-chain.ts";
import { StoredCallLedger } from "./call-ledger.ts";
import { type GrantStore, StoredGrants } from "./grant-book.ts";
import { GrantTable } from "./grant-table.ts";
import { GroupCommit } from "./group-commit.ts";
import { type OpenedDatabase, openDatabase, openForReading } from "./open-database.ts";
import { PURGE_BATCH, Purge } from "./purge.ts";
import { recoverInterrupted } from "./recover-interrupted.ts";
import { SEALED_BYTES_PER_AGENT, SealedBudget } from "./sealed-budget.ts";
import { type SettingsReader, type SettingsWriter, StoredSettings } from "./settings-store.ts";
import { toStoreError } from "./store-error.ts";
import { StoreStateTable } from "./store-state.ts";
import { StoredClock, type Ticker } from "./trusted-clock.ts";

export interface StoreOptions {
  /** Made when it is not there. */
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly wallClock: Ticker;
  /** Milliseconds from any beginning. */
  readonly monotonic: Ticker;
  /** As many unpredictable bytes as asked for. */
  readonly random: (bytes: number) => Uint8Array;
  /** Bytes of results kept per agent for replay; 64 MiB unless a test says otherwise. */
  readonly sealedBytesPerAgent?: number;
  /** Pages the file may grow to, as on a disk that is full; no bound unless a test sets one. */
  readonly maxPages?: number;
}

export interface Store {
  readonly ledger: CallLedger;
  readonly activity: ActivityReader;
  readonly agents: AgentReader & AgentWriter;
  readonly grants: GrantStore;
  readonly settings: SettingsReader & SettingsWriter;
  readonly clock: StoredClock;
  /** Stores the clock and whatever waited for company; the host calls it every minute. */
  tick(): Promise<void>;
  /** `tick`, then the purge of expired entries; the host calls it every hour. */
  maintain(): Promise<MaintenanceReport>;
  /** Stores what waits and leaves one clean file. Afterwards every write is `store_closed`. */
  close(): void;
}

export interface MaintenanceReport {
  /** Records that went. */
  readonly purged: number;
}

export interface OpenedStore {
  readonly store: Store;
  /** Where a damaged database was moved, for the person to be told; null: nothing was damaged. */
  readonly setAside: string | null;
  /** Calls the last session left unfinished; they are answered `interrupted` now. */
  readonly interrupted: number;
}

/**
 * Opens everything that is kept, finishes what the last session left, and purges what expired.
 * @throws StoreError `store_unwritable`, `store_newer`, `store_corrupt`
 */
export function openStore(options: StoreOptions): OpenedStore {
  const opened = openDatabase(options.dataDir, options.wallClock.now());
  try {
    if (options.maxPages !== undefined) opened.db.pragma(`max_page_count = ${options.maxPages}`);
    const store = new SqliteStore(opened, options);
    return { store, setAside: opened.setAside, interrupted: store.begin() };
  } catch (error) {
    opened.db.close();
    throw toStoreError(error);
  }
}

const ROOT_ID_BYTES = 12;

class SqliteStore implements Store {
  readonly ledger: StoredCallLedger;
  readonly activity: StoredActivity;
  readonly agents: StoredAgents;
  readonly grants: StoredGrants;
  readonly settings: StoredSettings;
  readonly clock: StoredClock;
  readonly #db: OpenedDatabase["db"];
  readonly #group: GroupCommit;
  readonly #chain: AuditChain;
  readonly #answered: AnsweredCalls;
  readonly #purge: Purge;
  readonly #state: StoreStateTable;

  constructor({ db, path }: OpenedDatabase, options: StoreOptions) {
    this.#db = db;
    this.#state = new StoreStateTable(db);
    const left = this.#state.read();
    this.#chain = new AuditChain(db, left?.head);
    this.clock = new StoredClock(
      options.wallClock,
      options.monotonic,
      left,
      this.#chain.lastRecordAt,
    );
    const budget = new SealedBudget(db, options.sealedBytesPerAgent ?? SEALED_BYTES_PER_AGENT);
    this.#group = new GroupCommit(db, [this.#chain, budget]);
    this.#answered = new AnsweredCalls(db, budget);
    this.#purge = new Purge(db, this.#chain, budget);
    this.ledger = new StoredCallLedger(this.#group, this.#chain, this.#answered, options.random);
    this.grants = new StoredGrants(this.#group, new GrantTable(db), (agentId, chosen) =>
      this.agents.addRoot(agentId, chosen),
    );
    this.agents = new StoredAgents(
      this.#group,
      new AgentTable(db),
      this.grants,
      this.clock,
      () => `root_${Buffer.from(options.random(ROOT_ID_BYTES)).toString("hex")}`,
    );
    this.settings = new StoredSettings(this.#group, db);
    this.activity = new StoredActivity(
      () => openForReading(path),
      () => this.#chain.durableHead,
    );
  }

  /** @returns how many calls were left unfinished */
  begin(): number {
    try {
      const interrupted = this.#group.runNow(() => {
        const now = this.clock.now();
        const count = recoverInterrupted(this.#db, this.#chain, this.#answered, now);
        this.#keepState(false);
        return count;
      });
      let purged = 0;
      let removed: number;
      do {
        removed = this.#group.runNow(() => this.#purgeBatch());
        purged += removed;
      } while (removed === PURGE_BATCH);
      if (purged > 0) this.#purge.truncateLog();
      return interrupted;
    } catch (error) {
      this.activity.close();
      throw error;
    }
  }

  async tick(): Promise<void> {
    await this.#group.enqueue(() => this.#keepState(false));
  }

  async maintain(): Promise<MaintenanceReport> {
    await this.tick();
    let purged = 0;
    let removed: number;
    do {
      removed = await this.#group.enqueue(() => this.#purgeBatch());
      purged += removed;
    } while (removed === PURGE_BATCH);
    // Also when nothing went this time: an earlier one may have had a reader in its way.
    this.#purge.truncateLog();
    return { purged };
  }

  close(): void {
    if (!this.#db.open) return;
    try {
      this.#group.runNow(() => this.#keepState(true));
      this.#group.close();
      this.#purge.truncateLog();
    } catch (error) {
      throw toStoreError(error);
    } finally {
      this.activity.close();
      this.#group.close();
      this.#db.close();
    }
  }

  #purgeBatch(): number {
    return this.#purge.batch(this.clock.safeNow(), this.clock.now());
  }

  #keepState(clean: boolean): void {
    this.#state.write(clean, { ...this.clock.mark(), head: this.#chain.head });
  }
}
