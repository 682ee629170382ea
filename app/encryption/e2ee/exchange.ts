import { toBase64 } from "../../contract/base64.ts";
import type { OpenContext, SealContext } from "../../protocol/v1/message-sealing.ts";
import { toHex } from "../bytes.ts";
import { refuse } from "../encryption-error.ts";
import { openEnvelope, sealEnvelope } from "../envelope/envelope.ts";
import { compareHeads, type LedgerHead, NO_LEDGER } from "../ledger/ledger.ts";
import { prepareNext } from "../ratchet/ratchet-kdf.ts";
import type { PeerSessions } from "../sessions/sessions.ts";
import { withoutOneTimePrekey } from "../x3dh/prekeys.ts";
import { oneAtATime, type PeerDirectory, type Queues } from "./peer-directory.ts";
import type { E2eePorts } from "./ports.ts";
import type { KeptContent, Peer } from "./records.ts";
import type { SessionStore, SessionStoreChange } from "./session-store.ts";
import { bytesOnWire } from "./streams.ts";

/** Streams have their own sequence numbers, because they overtake messages on the way. */
export const MESSAGES = { sent: "sent", received: "received" } as const;
export const STREAMS = { sent: "streams-sent", received: "streams-received" } as const;
type Traffic = typeof MESSAGES | typeof STREAMS;

interface Taken extends KeptContent {
  readonly digest: string;
  /** Settles when the keys used up and the content are durable, or never will be. */
  readonly durable: Promise<void>;
}

/** Seals and opens envelopes, and stores the resulting changes before anyone acts on them. */
export class Exchange {
  readonly #ports: E2eePorts;
  readonly #sessionStore: SessionStore;
  readonly #peerDirectory: PeerDirectory;
  readonly #queues: Queues;
  /** The owners who were shown another ledger than we were. */
  readonly #forked = new Set<string>();

  constructor(
    ports: E2eePorts,
    sessionStore: SessionStore,
    peerDirectory: PeerDirectory,
    queues: Queues,
  ) {
    this.#ports = ports;
    this.#sessionStore = sessionStore;
    this.#peerDirectory = peerDirectory;
    this.#queues = queues;
  }

  async seal(traffic: Traffic, plaintext: Uint8Array, context: SealContext): Promise<string> {
    const { conversation_id } = context;
    const sealed = await this.#queues.run(`seal ${conversation_id}`, async () => {
      const recipient_ids = await this.#prepare(context);
      return this.#alone(() => this.#sealNow(traffic, plaintext, { ...context, recipient_ids }));
    });
    await sealed.durable;
    if (traffic === MESSAGES) this.#tellLeftOut(context, sealed.recipientIds);
    return toBase64(sealed.bytes);
  }

  /**
   * Asks the hub for what is needed, before entering the queue that must never wait for the hub.
   * @returns the recipients; in a group only those who have keys
   */
  async #prepare({ conversation_id, recipient_ids }: SealContext): Promise<readonly string[]> {
    const direct = this.#peerDirectory.direct(conversation_id);
    if (direct === undefined) {
      const reached = await this.#peerDirectory.withKeys(recipient_ids);
      return reached.length === 0 ? refuse("keys_missing") : reached;
    }
    const [id] = recipient_ids;
    if (recipient_ids.length !== 1 || id !== direct.card.ownerId) refuse("wrong_recipient");
    const peer = await this.#peerDirectory.known(direct.card.ownerId);
    const isRatchet = direct.introduction?.level === "ratchet";
    if (isRatchet) await this.#peerDirectory.withSession(peer);
    return recipient_ids;
  }

  /** Not called for a stream: the message that ends it reports who was left out. */
  #tellLeftOut({ conversation_id, recipient_ids }: SealContext, reached: readonly string[]): void {
    const owner_ids = recipient_ids.filter((id) => !reached.includes(id));
    if (owner_ids.length > 0) this.#ports.heard({ kind: "left_out", conversation_id, owner_ids });
  }

  #sealNow(traffic: Traffic, plaintext: Uint8Array, context: SealContext) {
    const { crypto, identity, now } = this.#ports;
    const { conversation_id: conversationId, recipient_ids, kind, call_id: callId } = context;
    const suite = this.#peerDirectory.suiteOf(conversationId);
    const peers = recipient_ids.map((id) => this.#sessionStore.peer(id) ?? refuse("keys_missing"));
    const name = `${traffic.sent} ${conversationId}`;
    const sequence = this.#sessionStore.sequence(name) + 1;
    const { bytes, recipients } = sealEnvelope(crypto, {
      suite,
      sender: identity,
      recipients: peers.map(({ card }) => {
        const sessions = suite === "ratchet" ? this.#sessionStore.sessions(card.ownerId) : [];
        return { card, sessions };
      }),
      conversationId,
      sequence,
      ledger: this.#peerDirectory.direct(conversationId)?.ledger ?? NO_LEDGER,
      kind,
      callId,
      content: plaintext,
      now: now(),
    });
    const [only] = suite === "ratchet" ? recipients : [];
    const used = only && { ownerId: only.card.ownerId, sessions: only.sessions };
    const { durable } = this.#sessionStore.stageSent({ name, value: sequence }, used);
    if (only !== undefined) this.#prepareNext(only.sessions);
    return { bytes, durable, recipientIds: recipient_ids };
  }

  /** The next message's keys, while nothing waits. */
  #prepareNext([session]: PeerSessions): void {
    const { crypto, later } = this.#ports;
    if (session === undefined) return;
    later?.(() => prepareNext(crypto, session.ratchet));
  }

  /** Resolves once it is opened. Anything stored later is written after the keys it used up. */
  async take(traffic: Traffic, wire: string, context: OpenContext): Promise<Taken> {
    const { conversation_id } = context;
    const bytes = bytesOnWire(wire);
    const digest = toHex(this.#ports.crypto.sha256(bytes));
    const taken = await this.#queues.run(`open ${conversation_id}`, async () => {
      if (this.#sessionStore.hasFailed) await this.#alone(() => undefined);
      const kept = this.#keptOf(digest, context);
      if (kept !== undefined) return { taken: kept, durable: Promise.resolve() };
      const peer = await this.#peerDirectory.known(context.sender_id);
      try {
        return await this.#alone(() => this.#openNow(traffic, bytes, digest, context));
      } catch (error) {
        if (this.#peerDirectory.suiteOf(conversation_id) === "ratchet") {
          void this.#peerDirectory.renewAfter(error, peer);
        }
        throw error;
      }
    });
    return { digest, ...taken.taken, durable: taken.durable };
  }

  #keptOf(digest: string, { conversation_id, sender_id, kind }: OpenContext) {
    const kept = this.#sessionStore.kept(digest);
    if (kept === undefined) return undefined;
    if (kept.conversationId !== conversation_id) refuse("wrong_conversation");
    if (kept.senderId !== sender_id) refuse("wrong_sender");
    return kept.kind === kind ? kept : refuse("wrong_kind");
  }

  #openNow(traffic: Traffic, bytes: Uint8Array, digest: string, context: OpenContext) {
    const { crypto, identity, now } = this.#ports;
    const { conversation_id: conversationId, sender_id: senderId, kind } = context;
    const direct = this.#peerDirectory.direct(conversationId);
    if (direct !== undefined && direct.card.ownerId !== senderId) refuse("wrong_sender");
    const peer = this.#sessionStore.peer(senderId) ?? refuse("keys_missing");
    const name = `${traffic.received} ${conversationId} ${toHex(peer.card.keyId)}`;
    const suite = this.#peerDirectory.suiteOf(conversationId);
    const opened = openEnvelope(
      crypto,
      {
        suite,
        own: identity,
        sender: peer.card,
        conversationId,
        kind,
        window: this.#sessionStore.window(name),
        sessions: suite === "ratchet" ? this.#sessionStore.sessions(senderId) : [],
        prekeys: this.#sessionStore.prekeys,
        now: now(),
      },
      bytes,
    );
    const { callId, content, usedOneTimePrekey: used } = opened;
    const kept = { conversationId, senderId, kind, callId, content };
    const change: SessionStoreChange = {
      window: { name, value: opened.window },
      ...(suite === "ratchet"
        ? { sessions: { ownerId: senderId, sessions: opened.sessions } }
        : {}),
      ...(used === null ? {} : { prekeys: withoutOneTimePrekey(this.#sessionStore.prekeys, used) }),
      ...(traffic === MESSAGES ? { kept: { digest, content: kept } } : {}),
    };
    const { durable } = this.#sessionStore.stage(change, context.awaited ?? true);
    void durable.then(
      () => this.#tell(peer, direct !== undefined, opened, context),
      () => undefined,
    );
    return { taken: kept, durable };
  }

  #tell(
    { card: { ownerId }, ledger }: Peer,
    isDirect: boolean,
    opened: { readonly missed: number; readonly ledger: LedgerHead },
    { conversation_id }: OpenContext,
  ): void {
    const { heard } = this.#ports;
    const comparison = isDirect ? compareHeads(ledger, opened.ledger) : "same";
    if (comparison === "forked") this.#forked.add(ownerId);
    const isOver = isDirect && comparison === "same" && this.#forked.delete(ownerId);
    if (comparison !== "same" || isOver) heard({ kind: "ledger", owner_id: ownerId, comparison });
    if (opened.missed === 0) return;
    heard({ kind: "missed", conversation_id, owner_id: ownerId, count: opened.missed });
  }

  /** Deletes the envelope's kept content. */
  async dealtWith(digest: string): Promise<void> {
    if (this.#sessionStore.kept(digest) === undefined) return;
    const dropping = { kept: { digest, content: null } };
    const { durable } = await this.#alone(() => this.#sessionStore.stage(dropping, false));
    await durable;
  }

  #alone<T>(job: () => T | Promise<T>): Promise<T> {
    return oneAtATime(this.#queues, this.#sessionStore, job);
  }
}
