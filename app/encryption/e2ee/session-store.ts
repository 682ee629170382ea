import type { CryptoPrimitives } from "../crypto-primitives.ts";
import { encryptionError, refuse } from "../encryption-error.ts";
import { NOTHING_RECEIVED, type SequenceWindow } from "../envelope/envelope.ts";
import { withNothingSetAside } from "../ratchet/double-ratchet.ts";
import { RATCHET_RULES } from "../ratchet/ratchet-state.ts";
import { decodeSessions, encodeSessions, type PeerSessions } from "../sessions/sessions.ts";
import { decodePrekeys, EMPTY_PREKEYS, encodePrekeys, type PrekeyStore } from "../x3dh/prekeys.ts";
import { encoded, type KeyChanges, type KeyRecords } from "./ports.ts";
import {
  decodeKept,
  decodePeer,
  decodeSequence,
  decodeWindow,
  encodeKept,
  encodePeer,
  encodeSequence,
  encodeWindow,
  type KeptContent,
  type Peer,
} from "./records.ts";

/**
 * Changes that are stored together or not at all. `kept: null` deletes an envelope's kept content.
 */
export interface SessionStoreChange {
  readonly prekeys?: PrekeyStore;
  readonly peer?: Peer;
  readonly sessions?: OwnSessions;
  /** The highest sequence number that may be used before the record is stored again. */
  readonly setAside?: Used;
  readonly window?: { readonly name: string; readonly value: SequenceWindow };
  readonly kept?: { readonly digest: string; readonly content: KeptContent | null };
}

interface OwnSessions {
  readonly ownerId: string;
  readonly sessions: PeerSessions;
}

/** The last sequence number used, by the record's name. */
interface Used {
  readonly name: string;
  readonly value: number;
}

const RESTARTED_AT = "restarted-at";

/**
 * The record for an identity that has lost all its other records. Its peers have accepted sequence
 * numbers from it, and would refuse the first ones as replayed.
 * @param now ms since the epoch, which is above any sequence number used so far
 */
export const restartedAt = (
  crypto: CryptoPrimitives,
  now: number,
): readonly [string, Uint8Array] => [RESTARTED_AT, encodeSequence(crypto, now)];

/**
 * Everything one end remembers, in memory and in its records. Changes are durable before anybody
 * acts on them.
 */
export class SessionStore {
  prekeys: PrekeyStore = EMPTY_PREKEYS;
  readonly #crypto: CryptoPrimitives;
  readonly #records: KeyRecords;
  #peers = new Map<string, Peer>();
  #sessions = new Map<string, PeerSessions>();
  #sequences = new Map<string, number>();
  /** The sequence numbers that are stored: those up to them may be used. */
  #setAside = new Map<string, number>();
  /** Settles when what was set aside last is durable. */
  #sendable = Promise.resolve();
  #windows = new Map<string, SequenceWindow>();
  #kept = new Map<string, KeptContent>();
  /**
   * Set when everything but the identity was lost: sequence numbers up to it are never used again.
   */
  #restartedAt = 0;
  /** Batches that are not durable yet. */
  readonly #saving = new Set<Promise<void>>();
  #hasFailed = false;

  private constructor(crypto: CryptoPrimitives, records: KeyRecords) {
    this.#crypto = crypto;
    this.#records = records;
  }

  /** @throws EncryptionError `corrupt_state` for a record that this program cannot have written */
  static async open(crypto: CryptoPrimitives, records: KeyRecords): Promise<SessionStore> {
    const sessionStore = new SessionStore(crypto, records);
    for (const [name, bytes] of await records.load()) sessionStore.#read(name, bytes);
    const isRestarted = sessionStore.#restartedAt > 0 && sessionStore.prekeys === EMPTY_PREKEYS;
    // In seconds, because ids are short. One end creates fewer than one a second.
    if (isRestarted)
      sessionStore.prekeys = {
        ...EMPTY_PREKEYS,
        nextId: Math.ceil(sessionStore.#restartedAt / 1_000),
      };
    return sessionStore;
  }

  /** A change could not be stored, so memory is ahead of the records. */
  get hasFailed(): boolean {
    return this.#hasFailed;
  }

  /**
   * Reloads the records, while no change is in progress. Nothing that they lack was sent or
   * reported as received.
   * @throws EncryptionError `storage_failed` if they cannot be read either; `corrupt_state`
   */
  async recover(): Promise<void> {
    // A batch handed over before the failure may still be stored, and what it sealed may be sent.
    await Promise.allSettled(this.#saving);
    const kept = await SessionStore.open(this.#crypto, this.#records).catch((error: unknown) => {
      throw encryptionError.is(error) ? error : encryptionError("storage_failed");
    });
    this.prekeys = kept.prekeys;
    this.#peers = kept.#peers;
    this.#sessions = kept.#sessions;
    this.#sequences = kept.#sequences;
    this.#setAside = kept.#setAside;
    this.#sendable = Promise.resolve();
    this.#windows = kept.#windows;
    this.#kept = kept.#kept;
    this.#restartedAt = kept.#restartedAt;
    this.#hasFailed = false;
  }

  peer(ownerId: string): Peer | undefined {
    return this.#peers.get(ownerId);
  }

  get peers(): readonly Peer[] {
    return [...this.#peers.values()];
  }

  sessions(ownerId: string): PeerSessions {
    return this.#sessions.get(ownerId) ?? [];
  }

  /** The highest number that may have been used under this name; 0 before the first. */
  sequence(name: string): number {
    return this.#sequences.get(name) ?? this.#restartedAt;
  }

  window(name: string): SequenceWindow {
    return this.#windows.get(name) ?? NOTHING_RECEIVED;
  }

  kept(digest: string): KeptContent | undefined {
    return this.#kept.get(digest);
  }

  /**
   * Changes memory at once. The promise settles when the change is durable, or never will be.
   * Changes reach the records in the order of these calls, provided that callers do not overlap.
   * @param isAwaited false if nobody waits for `durable`
   * @throws EncryptionError `storage_failed`, from then until `recover`, because memory is ahead of
   * the records
   */
  stage(change: SessionStoreChange, isAwaited = true): { readonly durable: Promise<void> } {
    if (this.#hasFailed) refuse("storage_failed");
    const changes = this.#encode(change);
    this.#remember(change);
    const soon = isAwaited ? undefined : this.#records.saveSoon?.(changes);
    const durable = (soon ?? this.#records.save(encoded(changes))).catch(() => {
      this.#hasFailed = true;
      refuse("storage_failed");
    });
    this.#saving.add(durable);
    // Handled here, because the caller may attach its own handler later.
    const over = () => this.#saving.delete(durable);
    durable.then(over, over);
    return { durable };
  }

  /**
   * A message was sealed. It may be sent once `durable` resolves: then what is stored allows neither its number
   * nor its key to be used again. Most messages need no write, because several are set aside in one.
   * @throws EncryptionError `storage_failed`, like `stage`
   */
  stageSent(used: Used, own?: OwnSessions): { readonly durable: Promise<void> } {
    if (this.#hasFailed) refuse("storage_failed");
    const { name, value } = used;
    const isSetAside = value <= (this.#setAside.get(name) ?? 0);
    if (!isSetAside || (own !== undefined && !this.#isStored(own))) {
      const setAside = { name, value: value + RATCHET_RULES.setAside - 1 };
      const change = own === undefined ? { setAside } : { setAside, sessions: own };
      this.#sendable = this.stage(change).durable;
    } else if (own !== undefined) this.#sessions.set(own.ownerId, own.sessions);
    this.#sequences.set(name, value);
    return { durable: this.#sendable };
  }

  /** The sending chain as it is stored has not changed since. */
  #isStored({ ownerId, sessions: [used] }: OwnSessions): boolean {
    const [before] = this.sessions(ownerId);
    return before?.ratchet.sendChain?.stored === used?.ratchet.sendChain?.stored;
  }

  /** Before the end: nothing stays set aside, so that others miss no number after the next start. */
  async settle(): Promise<void> {
    const changes: SessionStoreChange[] = [];
    for (const [name, value] of this.#sequences) {
      if (this.#setAside.get(name) !== value) changes.push({ setAside: { name, value } });
    }
    for (const [ownerId, own] of this.#sessions) {
      const sessions = own.map((each) => ({ ...each, ratchet: withNothingSetAside(each.ratchet) }));
      if (sessions.some(({ ratchet }, at) => ratchet !== own[at]?.ratchet)) {
        changes.push({ sessions: { ownerId, sessions } });
      }
    }
    for (const change of changes) this.stage(change);
    await Promise.all(this.#saving);
  }

  #encode(change: SessionStoreChange): KeyChanges {
    const crypto = this.#crypto;
    const { prekeys, peer, sessions, setAside, window, kept } = change;
    const changes = new Map<string, (() => Uint8Array) | null>();
    if (prekeys) changes.set("prekeys", () => encodePrekeys(crypto, prekeys));
    if (peer) changes.set(`peer ${peer.card.ownerId}`, () => encodePeer(crypto, peer));
    if (sessions) {
      const { ownerId, sessions: each } = sessions;
      changes.set(`sessions ${ownerId}`, () => encodeSessions(crypto, each));
    }
    if (setAside) changes.set(setAside.name, () => encodeSequence(crypto, setAside.value));
    if (window) changes.set(window.name, () => encodeWindow(crypto, window.value));
    if (kept) {
      const { digest, content } = kept;
      changes.set(`opened ${digest}`, content && (() => encodeKept(crypto, content)));
    }
    return changes;
  }

  #remember({ prekeys, peer, sessions, setAside, window, kept }: SessionStoreChange): void {
    if (prekeys) this.prekeys = prekeys;
    if (peer) this.#peers.set(peer.card.ownerId, peer);
    if (sessions) this.#sessions.set(sessions.ownerId, sessions.sessions);
    if (setAside) this.#setAside.set(setAside.name, setAside.value);
    if (window) this.#windows.set(window.name, window.value);
    if (kept?.content) this.#kept.set(kept.digest, kept.content);
    else if (kept) this.#kept.delete(kept.digest);
  }

  #read(name: string, bytes: Uint8Array): void {
    const crypto = this.#crypto;
    const space = name.indexOf(" ");
    const rest = name.slice(space + 1);
    const first = space === -1 ? name : name.slice(0, space);
    if (name === "prekeys") this.prekeys = decodePrekeys(crypto, bytes);
    else if (first === "peer") this.#peers.set(rest, decodePeer(crypto, bytes));
    else if (first === "sessions") this.#sessions.set(rest, decodeSessions(crypto, bytes));
    else if (first === "opened") this.#kept.set(rest, decodeKept(crypto, bytes));
    else if (name === RESTARTED_AT) this.#restartedAt = decodeSequence(crypto, bytes);
    else if (/^(streams-)?sent$/.test(first)) {
      const value = decodeSequence(crypto, bytes);
      this.#sequences.set(name, value);
      this.#setAside.set(name, value);
    } else if (/^(streams-)?received$/.test(first)) {
      this.#windows.set(name, decodeWindow(crypto, bytes));
    }
  }
}
