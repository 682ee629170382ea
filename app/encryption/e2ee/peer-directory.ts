import { equalBytes, toHex } from "../bytes.ts";
import { type EncryptionErrorCode, encryptionError, refuse } from "../encryption-error.ts";
import { type IdentityCard, readCard, type Suite } from "../identity/identity.ts";
import { NO_LEDGER } from "../ledger/ledger.ts";
import { beginSession, sessionsWith } from "../sessions/sessions.ts";
import { readBundle } from "../x3dh/x3dh.ts";
import type { E2eePorts, Introduction } from "./ports.ts";
import { firstSeen, type Peer } from "./records.ts";
import type { SessionStore } from "./session-store.ts";

/**
 * Runs a job that reads or changes the stored state. Jobs run one at a time, on durable state only.
 */
export const oneAtATime = <T>(
  queues: Queues,
  sessionStore: SessionStore,
  job: () => T | Promise<T>,
): Promise<T> =>
  queues.run("state", async () => {
    if (sessionStore.hasFailed) await sessionStore.recover();
    return job();
  });

/** Errors after which a new session is begun (docs/encryption.md, "Sessions"). */
const LOST: readonly EncryptionErrorCode[] = ["no_session", "unknown_prekey", "too_many_skipped"];

/** How long an owner without published keys is not looked up again, in milliseconds. */
const KEYLESS_FOR_MS = 60_000;

/** Which key belongs to whom, and the sessions with each. */
export class PeerDirectory {
  readonly #ports: E2eePorts;
  readonly #sessionStore: SessionStore;
  readonly #queues: Queues;
  /** When the directory said that an owner has no keys, by owner. */
  readonly #keyless = new Map<string, number>();
  /** The owners who were told of the session begun last. */
  readonly #told = new Set<string>();
  /** The owners with whom a lost session is being renewed. */
  readonly #renewing = new Set<string>();

  constructor(ports: E2eePorts, sessionStore: SessionStore, queues: Queues) {
    this.#ports = ports;
    this.#sessionStore = sessionStore;
    this.#queues = queues;
  }

  /** The other end of the relation that this conversation belongs to; undefined for a group. */
  direct(conversationId: string): Peer | undefined {
    return this.#sessionStore.peers.find(
      ({ introduction }) => introduction?.conversationId === conversationId,
    );
  }

  /** A relation's conversation has the relation's level; a group's is `sealed`. */
  suiteOf(conversationId: string): Suite {
    return this.direct(conversationId)?.introduction?.level ?? "sealed";
  }

  /**
   * @throws EncryptionError `bad_identity`; `downgraded` if the relation has another level;
   * `wrong_conversation` if it has another conversation, or this one belongs to another owner
   */
  introduce(
    ownerId: string,
    cardBytes: Uint8Array,
    introduction: Introduction | null,
  ): Promise<void> {
    return this.#alone(async () => {
      const card = readCard(this.#ports.crypto, cardBytes);
      if (card.ownerId !== ownerId) refuse("bad_identity");
      const known = this.#sessionStore.peer(ownerId);
      requireLevel(card, introduction);
      this.#requireFitting(ownerId, known, introduction);
      if (known === undefined) return this.#keep(firstSeen(card, introduction));
      const met = { ...known, introduction: known.introduction ?? introduction };
      const isSame = equalBytes(known.card.keyId, card.keyId);
      if (!isSame) await this.#markChanged(met, card);
      else if (known.changed !== null) await this.#markChangedBack(met);
      else if (met.introduction !== known.introduction) await this.#keep(met);
    });
  }

  /** The person has seen the changed key; it is trusted from now on. */
  acceptKey(ownerId: string, keyId: string): Promise<void> {
    return this.#alone(async () => {
      const known = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
      if (known.changed === null || toHex(known.changed.keyId) !== keyId) refuse("key_changed");
      // A person's new key starts a new ledger.
      const ledger = this.#ports.role === "agent" ? NO_LEDGER : known.ledger;
      const { changed: card } = known;
      const introduction = withLevelOf(card, known.introduction);
      await this.#keep({ ...known, card, introduction, changed: null, verified: false, ledger });
    });
  }

  markVerified(ownerId: string, keyId: string, verified: boolean): Promise<void> {
    return this.#alone(async () => {
      const known = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
      if (toHex(known.card.keyId) !== keyId) refuse("key_changed");
      await this.#keep({ ...known, verified });
    });
  }

  keepLedger(ownerId: string, ledger: Peer["ledger"]): Promise<void> {
    return this.#alone(async () => {
      const known = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
      await this.#keep({ ...known, ledger });
    });
  }

  /** From memory; for a group's member, otherwise from the hub's directory. */
  async known(ownerId: string): Promise<Peer> {
    if (this.#sessionStore.peer(ownerId) === undefined) {
      const card = await this.#ports.directory.card(ownerId);
      if (card !== null) await this.introduce(ownerId, card, null);
    }
    const peer = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
    return peer.changed === null ? peer : refuse("key_changed");
  }

  /** The members of a group who have keys. @throws EncryptionError `key_changed` */
  async withKeys(ownerIds: readonly string[]): Promise<readonly string[]> {
    const found: string[] = [];
    for (const id of ownerIds) if (await this.#hasKeys(id)) found.push(id);
    return found;
  }

  async #hasKeys(ownerId: string): Promise<boolean> {
    if (this.#sessionStore.peer(ownerId) === undefined && this.#wasKeyless(ownerId)) return false;
    this.#keyless.delete(ownerId);
    try {
      await this.known(ownerId);
      return true;
    } catch (error) {
      if (!encryptionError.is(error) || error.code !== "keys_missing") throw error;
      this.#keyless.set(ownerId, this.#ports.now());
      return false;
    }
  }

  /** Within `KEYLESS_FOR_MS`. If the clock was set back, the directory is asked again. */
  #wasKeyless(ownerId: string): boolean {
    const past = this.#ports.now() - (this.#keyless.get(ownerId) ?? Number.NEGATIVE_INFINITY);
    return past >= 0 && past < KEYLESS_FOR_MS;
  }

  /** Begins a session when there is none. */
  async withSession({ card }: Peer): Promise<void> {
    const sessions = this.#sessionStore.sessions(card.ownerId);
    if (sessionsWith(sessions, card).length === 0) await this.#begin(card);
  }

  /**
   * Begins a new session after a message failed to open, unless one that this end began still waits for
   * its first answer. The other end must learn of it once: it may have nothing to answer.
   */
  async renewAfter(error: unknown, peer: Peer): Promise<void> {
    if (!encryptionError.is(error) || !LOST.includes(error.code)) return;
    const { ownerId } = peer.card;
    if (this.#renewing.has(ownerId)) return;
    this.#renewing.add(ownerId);
    try {
      await this.#renew(peer);
    } catch {
      // The next message tries again.
    } finally {
      this.#renewing.delete(ownerId);
    }
  }

  async #renew({ card, introduction }: Peer): Promise<void> {
    const { ownerId } = card;
    const [newest] = sessionsWith(this.#sessionStore.sessions(ownerId), card);
    const isBegun = newest?.prelude != null;
    if (introduction === null || (isBegun && this.#told.has(ownerId))) return;
    if (!isBegun) await this.#begin(card);
    this.#told.add(ownerId);
    this.#ports.heard({
      kind: "session_renewed",
      owner_id: ownerId,
      conversation_id: introduction.conversationId,
    });
  }

  async #begin(card: IdentityCard): Promise<void> {
    const { crypto, identity, directory, now } = this.#ports;
    const { ownerId } = card;
    this.#told.delete(ownerId);
    const bytes = (await directory.bundle(ownerId)) ?? refuse("keys_missing");
    await this.#alone(() => {
      const time = now();
      const bundle = readBundle(crypto, bytes, { card, now: time });
      const before = this.#sessionStore.sessions(ownerId);
      const sessions = beginSession(crypto, identity, bundle, before, time);
      // Not awaited: the first message sent in this session waits for a batch of its own, which is
      // written after this one.
      this.#sessionStore.stage({ sessions: { ownerId, sessions } });
    });
  }

  #requireFitting(ownerId: string, known: Peer | undefined, met: Introduction | null): void {
    if (met === null) return;
    const before = known?.introduction;
    if (before && before.level !== met.level) refuse("downgraded");
    if (before && before.conversationId !== met.conversationId) refuse("wrong_conversation");
    const holder = this.direct(met.conversationId);
    if (holder !== undefined && holder.card.ownerId !== ownerId) refuse("wrong_conversation");
  }

  async #markChanged(peer: Peer, card: IdentityCard): Promise<void> {
    const isTold = peer.changed !== null && equalBytes(peer.changed.keyId, card.keyId);
    if (isTold) return;
    await this.#keep({ ...peer, changed: card });
    const { ownerId } = card;
    const was_verified = peer.verified;
    this.#ports.heard({ kind: "key_changed", owner_id: ownerId, was_verified });
  }

  /** The known key is trusted again, because the other one was never accepted. */
  async #markChangedBack(peer: Peer): Promise<void> {
    await this.#keep({ ...peer, changed: null });
    this.#ports.heard({ kind: "key_changed_back", owner_id: peer.card.ownerId });
  }

  async #keep(peer: Peer): Promise<void> {
    await this.#sessionStore.stage({ peer }).durable;
  }

  #alone<T>(job: () => T | Promise<T>): Promise<T> {
    return oneAtATime(this.#queues, this.#sessionStore, job);
  }
}

/** An agent's card must name its level, and only an agent's may. */
function requireLevel({ level }: IdentityCard, met: Introduction | null): void {
  if (level !== null && met !== null && met.level !== level) refuse("downgraded");
}

const withLevelOf = ({ level }: IdentityCard, met: Introduction | null): Introduction | null =>
  met === null || level === null ? met : { ...met, level };

/** Jobs with the same name run one after the other, in the order they were added. */
export class Queues {
  readonly #ends = new Map<string, Promise<unknown>>();

  run<T>(name: string, job: () => Promise<T>): Promise<T> {
    const before = this.#ends.get(name);
    const result = before === undefined ? job() : before.then(job);
    // Whether one job fails does not affect the next.
    const end = result.then(
      () => undefined,
      () => undefined,
    );
    this.#ends.set(name, end);
    void end.then(() => {
      if (this.#ends.get(name) === end) this.#ends.delete(name);
    });
    return result;
  }
}
