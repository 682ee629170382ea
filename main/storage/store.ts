import type { ActivityRow } from "../../app/bridge/views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import type { CallLedger } from "../../app/execution/ports.ts";
import type { ActivityReader } from "./activity/activity-reader.ts";
import type { AgentReader, AgentWriter } from "./agent-store.ts";
import type { AnchorOptions } from "./anchor-writer.ts";
import type { StoredCallLedger } from "./call-ledger.ts";
import type { TargetedLine, TargetKeeping } from "./call-targets.ts";
import type { ConversationStore } from "./conversations/conversation-store.ts";
import type { GrantStore } from "./grant-store.ts";
import type { KeptChanges } from "./kept-changes.ts";
import type { KeyRecordStore } from "./key-record-store.ts";
import type { SettingsReader, SettingsWriter } from "./settings-store.ts";
import type { StoredClock, Ticker } from "./stored-clock.ts";

export interface StoreOptions {
  /** Created if it does not exist. */
  readonly dataDir: string;
  /** Milliseconds since the epoch. */
  readonly wallClock: Ticker;
  /** Milliseconds since any moment; includes sleep where the system can report it. */
  readonly monotonic: Ticker;
  /** Returns this many unpredictable bytes. */
  readonly random: (bytes: number) => Uint8Array;
  /** Maximum bytes of results stored per agent for repeating them. Default: 64 MiB. */
  readonly sealedBytesPerAgent?: number;
  /** The entry of the thread that reads the log; absent: it is read on this thread. */
  readonly readerWorker?: URL;
  /** Absent: there is no anchor outside the data folder. */
  readonly anchor?: AnchorOptions;
  /** How long the log is kept, in milliseconds; absent: as the contract promises. */
  readonly retentionMs?: number | undefined;
  /** Whether space is kept for refusals; absent: a full disk is noticed at each write anew. */
  readonly reserve?: boolean;
  /** Maximum number of pages, for tests to simulate a full disk. */
  readonly maxPages?: number;
}

export interface Store {
  readonly ledger: CallLedger & Pick<StoredCallLedger, "recordCarriedOut" | "recordShown">;
  readonly activity: ActivityReader;
  readonly agents: AgentReader & AgentWriter;
  readonly grants: GrantStore;
  readonly settings: SettingsReader & SettingsWriter;
  readonly clock: StoredClock;
  readonly keyRecords: KeyRecordStore;
  /** @param key the 32 bytes that encrypt messages, the same at every start */
  conversations(key: Uint8Array): ConversationStore;
  /**
   * From now on the log keeps digests of what calls are about, by which it can be searched.
   * @param key 32 bytes, the same at every start
   */
  keepSubjects(key: Uint8Array): void;
  /**
   * From now on the log keeps what calls are about, as their lines say it.
   * @param key 32 bytes, the same at every start
   */
  keepTargets(key: Uint8Array, targetOf: TargetKeeping["targetOf"]): void;
  /** What a call was about whose first record has this number, if that is kept. */
  targetOf(line: TargetedLine): CallTarget | undefined;
  /** Deletes all that is kept of this. */
  forgetTargets(): Promise<void>;
  /**
   * Calls that change files, so that they can be taken back.
   * @param key 32 bytes, the same at every start
   */
  keptChanges(key: Uint8Array): KeptChanges;
  /** Called with each log entry once it is durable. Replaces an earlier listener. */
  onLine(listener: (line: ActivityRow) => void): void;
  /** False while nothing can be stored; true again after a `tryWriting` that succeeds. */
  isWritable(): boolean;
  /** Called when `isWritable` changes. Replaces an earlier listener. */
  onWritable(listener: (isWritable: boolean) => void): void;
  /** Whether things can be stored again; never rejects. */
  tryWriting(): Promise<boolean>;
  /** Stores the clock and pending patient writes; the host calls it every minute. */
  tick(): Promise<void>;
  /** `tick`, then the purge of expired entries; the host calls it at its start and every minute. */
  maintain(): Promise<MaintenanceReport>;
  /** The person acknowledges every rollback; this is logged, and verification reports it. */
  acknowledgeRollbacks(): Promise<void>;
  /** Ends the thread for reading if it was asked nothing since the last call. */
  rest(): void;
  /**
   * Writes everything pending and leaves one clean file. Afterwards every write is `store_closed`.
   */
  close(): void;
  /** After `close`: resolves when no file outside the data folder is being written any more. */
  settled(): Promise<void>;
}

export interface MaintenanceReport {
  /** Number of records purged. */
  readonly purged: number;
}

export interface OpenedStore {
  readonly store: Store;
  /** Where a damaged database was moved, for the person to be told; null: nothing was damaged. */
  readonly setAside: string | null;
  /** Calls that the last session left unfinished; they are answered `interrupted` now. */
  readonly interrupted: number;
  /**
   * The log is older than it was: a copy was restored, or the newest records were removed. True
   * until the person acknowledges it.
   */
  readonly rolledBack: boolean;
}
