import type { CryptoPrimitives } from "../crypto-primitives.ts";
import type { Identity, Suite } from "../identity/identity.ts";
import type { HeadComparison } from "../ledger/ledger.ts";

/**
 * Byte records by name (docs/encryption.md, "Records"). They are secret: storage that others can
 * read must encrypt them.
 */
export interface KeyRecords {
  /** Everything durable. Rejects when that is no longer known. */
  load(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Stores all of it or nothing, and resolves when it is durable; `null` deletes a record. Batches
   * are stored in the order given. After one has failed, no more are stored until `load`.
   */
  save(changes: KeyBatch): Promise<void>;
  /**
   * As `save`, for what nobody waits for: stored together with the next batch, or soon. What a later batch
   * replaces before it was written never is. Absent: `save` is used.
   */
  saveSoon?(changes: KeyChanges): Promise<void>;
}

/** What an owner publishes, each part as it appears in a bundle. */
export interface PublishedKeys {
  readonly card: Uint8Array;
  readonly signedPrekey: Uint8Array;
  readonly oneTimePrekeys: readonly Uint8Array[];
}

/** The hub's key directory. It is not trusted: everything in it is signed. */
export interface KeyDirectory {
  publish(keys: PublishedKeys): Promise<void>;
  /** How many one-time prekeys the hub has; null if it has no keys of ours, or other ones. */
  left(ownKeyId: Uint8Array): Promise<number | null>;
  /** Null if the owner has published nothing. */
  card(ownerId: string): Promise<Uint8Array | null>;
  bundle(ownerId: string): Promise<Uint8Array | null>;
}

/** What happened to keys, for whoever shows it or must act on it. */
export type E2eeEvent =
  /**
   * A message of theirs did not open, so a new session was begun: they should be sent a first
   * message in it.
   */
  | {
      readonly kind: "session_renewed";
      readonly owner_id: string;
      /** The relation's conversation. */
      readonly conversation_id: string;
    }
  /** Nothing is sealed for them, and nothing of theirs opened, until `acceptKey`. */
  | { readonly kind: "key_changed"; readonly owner_id: string; readonly was_verified: boolean }
  /** They show the known key again, and the other one was never accepted: nothing has changed. */
  | { readonly kind: "key_changed_back"; readonly owner_id: string }
  /**
   * Their last envelope shows that they know more or less of the ledger than we do, or another one;
   * `same`: no longer another one.
   */
  | {
      readonly kind: "ledger";
      readonly owner_id: string;
      readonly comparison: HeadComparison;
    }
  /** Members of a group who cannot read what was just sealed, because we have no keys of theirs. */
  | {
      readonly kind: "left_out";
      readonly conversation_id: string;
      readonly owner_ids: readonly string[];
    }
  /** Envelopes that were sent and never arrived. */
  | {
      readonly kind: "missed";
      readonly conversation_id: string;
      readonly owner_id: string;
      readonly count: number;
    };

export interface E2eePorts {
  readonly crypto: CryptoPrimitives;
  readonly identity: Identity;
  /** Which end this is: the person signs the ledger, the agent verifies it. */
  readonly role: "person" | "agent";
  readonly records: KeyRecords;
  readonly directory: KeyDirectory;
  /** ms since the epoch */
  now(): number;
  heard(event: E2eeEvent): void;
  /** Runs a job after everything that is waiting. Absent: nothing is prepared in advance. */
  later?(job: () => void): void;
}

/** How a relation is encrypted; fixed when it is created (docs/encryption.md, "Levels"). */
export type EncryptionLevel = Suite;

/** The other end of a relation, as introduced. */
export interface Introduction {
  readonly level: EncryptionLevel;
  /** The relation's conversation, which has only these two members. */
  readonly conversationId: string;
}

/** What is known about the other end's keys. */
export interface PeerView {
  readonly owner_id: string;
  /** Hex. */
  readonly key_id: string;
  readonly verified: boolean;
  /** Null if they are known only from groups. */
  readonly introduction: Introduction | null;
  /** A different key was seen (hex). Nothing is exchanged until the person accepts it. */
  readonly changed_to: string | null;
}

/** Bytes by record; `null` deletes it. */
export type KeyBatch = ReadonlyMap<string, Uint8Array | null>;

/** The same, each record encoded only when it is written. */
export type KeyChanges = ReadonlyMap<string, (() => Uint8Array) | null>;

export const encoded = (changes: KeyChanges): KeyBatch =>
  new Map([...changes].map(([name, encode]) => [name, encode?.() ?? null]));

export const changesOf = (batch: KeyBatch): KeyChanges =>
  new Map([...batch].map(([name, bytes]) => [name, bytes && (() => bytes)]));
