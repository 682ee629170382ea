import type { CryptoPrimitives } from "../crypto-primitives.ts";
import type { Suite } from "../envelope/suites.ts";
import type { Identity } from "../identity/identity.ts";
import type { HeadComparison } from "../ledger/ledger-head.ts";

/**
 * Bytes by name (docs/encryption.md, "Records"). They are secret: a place that others read too
 * has to encrypt them.
 */
export interface KeyRecords {
  /** What is durable. Rejects where that cannot be known any more. */
  load(): Promise<ReadonlyMap<string, Uint8Array>>;
  /**
   * Keeps all of it or nothing, `null` deleting a record, and resolves when it is durable. Batches
   * are kept in the order in which they were given; after one that failed, none is until `load`.
   * @param isAwaited false: nobody waits for it, so it may wait a moment for the next one; absent: true
   */
  save(changes: ReadonlyMap<string, Uint8Array | null>, isAwaited?: boolean): Promise<void>;
}

/** What an owner publishes, each in the form it has in a bundle. */
export interface PublishedKeys {
  readonly card: Uint8Array;
  readonly signedPrekey: Uint8Array;
  readonly oneTimePrekeys: readonly Uint8Array[];
}

/** The hub's key directory. Nothing it says is believed: all of it is signed. */
export interface KeyDirectory {
  /** @returns how many one-time prekeys the hub has now */
  publish(keys: PublishedKeys): Promise<number>;
  /** How many one-time prekeys the hub has; null when it knows no keys, or other ones, of ours. */
  left(ownKeyId: Uint8Array): Promise<number | null>;
  /** Null when the owner has published nothing. */
  card(ownerId: string): Promise<Uint8Array | null>;
  bundle(ownerId: string): Promise<Uint8Array | null>;
}

/** What happened to the keys, for whoever shows it or has to do something. */
export type CorrespondenceEvent =
  /** Something of theirs did not open, and another session was begun: send them a sign of it. */
  | {
      readonly kind: "session_renewed";
      readonly owner_id: string;
      /** The relation's own. */
      readonly conversation_id: string;
    }
  /** Nothing is sealed for them or opened of theirs until `acceptKey`. */
  | { readonly kind: "key_changed"; readonly owner_id: string; readonly was_verified: boolean }
  /** They show the known key again, and the other one was not accepted: all is as it was. */
  | { readonly kind: "key_changed_back"; readonly owner_id: string }
  /** Their last envelope knew more, less or something else of the ledger than this end does. */
  | {
      readonly kind: "ledger";
      readonly owner_id: string;
      readonly comparison: Exclude<HeadComparison, "same">;
    }
  /** Members of a group who cannot read what was just sealed: nobody has keys of theirs. */
  | {
      readonly kind: "left_out";
      readonly conversation_id: string;
      readonly owner_ids: readonly string[];
    }
  /** Envelopes that were sent and never came. */
  | {
      readonly kind: "missed";
      readonly conversation_id: string;
      readonly owner_id: string;
      readonly count: number;
    };

export interface CorrespondencePorts {
  readonly crypto: CryptoPrimitives;
  readonly identity: Identity;
  /** Whose end it is: the person signs the ledger, the agent checks it. */
  readonly role: "person" | "agent";
  readonly records: KeyRecords;
  readonly directory: KeyDirectory;
  /** ms since the epoch */
  now(): number;
  heard(event: CorrespondenceEvent): void;
  /** Runs a job once whatever waits has had its turn; absent: nothing is made ahead. */
  later?(job: () => void): void;
}

/** How a relation is encrypted: fixed when it is made (docs/encryption.md, "Levels"). */
export type EncryptionLevel = Suite;

/** One end of a relation, as it was introduced. */
export interface Introduction {
  readonly level: EncryptionLevel;
  /** The relation's own conversation: these two alone. */
  readonly conversationId: string;
}

/** What is known of the other end's keys. */
export interface PeerView {
  readonly owner_id: string;
  /** Hex. */
  readonly key_id: string;
  readonly verified: boolean;
  /** Null: known from groups only. */
  readonly introduction: Introduction | null;
  /** Another key was seen: hex; what is known counts for nothing until the person accepts it. */
  readonly changed_to: string | null;
}
