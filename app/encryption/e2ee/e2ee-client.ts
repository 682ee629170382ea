import {
  type MessageSealing,
  type OpenContext,
  type OpenedMessage,
  type OpenedStream,
  type SealContext,
  type SealedStream,
  STREAM_START_KIND,
} from "../../protocol/v1/message-sealing.ts";
import { SIZES } from "../crypto-primitives.ts";
import { refuse } from "../encryption-error.ts";
import { safetyNumber, safetyWords } from "../identity/fingerprint.ts";
import { encodeCard, type IdentityCard } from "../identity/identity.ts";
import { type LedgerHead, NO_LEDGER, type VerifiedLedger, verifyLedger } from "../ledger/ledger.ts";
import { addOneTimePrekeys, addSignedPrekey, dropPrekeys, planPrekeys } from "../x3dh/prekeys.ts";
import { encodeOneTimePrekey, encodeSignedPrekey } from "../x3dh/x3dh.ts";
import { Exchange, MESSAGES, STREAMS } from "./exchange.ts";
import { oneAtATime, PeerDirectory, Queues } from "./peer-directory.ts";
import type { E2eePorts, Introduction, PeerView, PublishedKeys } from "./ports.ts";
import { peerView } from "./records.ts";
import { SessionStore } from "./session-store.ts";
import { coded, openedStream, sealedStream, streamKey } from "./streams.ts";

/** One end of all its conversations (docs/encryption.md, "How it travels"). */
export class E2eeClient implements MessageSealing {
  readonly #ports: E2eePorts;
  readonly #sessionStore: SessionStore;
  readonly #queues = new Queues();
  readonly #peerDirectory: PeerDirectory;
  readonly #exchange: Exchange;

  private constructor(ports: E2eePorts, sessionStore: SessionStore) {
    this.#ports = ports;
    this.#sessionStore = sessionStore;
    this.#peerDirectory = new PeerDirectory(ports, sessionStore, this.#queues);
    this.#exchange = new Exchange(ports, sessionStore, this.#peerDirectory, this.#queues);
  }

  /** @throws SealingError `corrupt_state` */
  static open(ports: E2eePorts): Promise<E2eeClient> {
    return coded(
      async () => new E2eeClient(ports, await SessionStore.open(ports.crypto, ports.records)),
    );
  }

  /** Our own card, as others receive it. */
  get card(): Uint8Array {
    return encodeCard(this.#ports.identity.card);
  }

  /** What is known about another owner. */
  peer(ownerId: string): PeerView | undefined {
    const peer = this.#sessionStore.peer(ownerId);
    return peer && peerView(peer);
  }

  peers(): readonly PeerView[] {
    return this.#sessionStore.peers.map(peerView);
  }

  /** The card that is trusted. */
  cardOf(ownerId: string): Uint8Array | undefined {
    const peer = this.#sessionStore.peer(ownerId);
    return peer && encodeCard(peer.card);
  }

  /**
   * Remembers an owner's card; the first card seen is the trusted one.
   * @param introduction null for a card that only shows whether the key is still the same
   * @throws SealingError `bad_identity`, `downgraded`, `wrong_conversation`, `malformed`
   */
  introduce(ownerId: string, card: Uint8Array, introduction: Introduction | null): Promise<void> {
    return coded(() => this.#peerDirectory.introduce(ownerId, card, introduction));
  }

  /**
   * The person has seen the changed key: it is trusted from now on, unverified.
   * @param keyId hex
   * @throws SealingError `key_changed` if it has changed again
   */
  acceptKey(ownerId: string, keyId: string): Promise<void> {
    return coded(() => this.#peerDirectory.acceptKey(ownerId, keyId));
  }

  /**
   * The person has compared the safety number, or withdraws that.
   * @param keyId hex
   * @throws SealingError `keys_missing`; `key_changed` if this is not the trusted key
   */
  markVerified(ownerId: string, keyId: string, verified: boolean): Promise<void> {
    return coded(() => this.#peerDirectory.markVerified(ownerId, keyId, verified));
  }

  /** For the changed key, if there is one. @throws SealingError `keys_missing` */
  safetyNumber(ownerId: string): Promise<{ readonly digits: string; readonly words: string }> {
    return coded(async () => {
      const peer = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
      const { crypto, identity } = this.#ports;
      const other = peer.changed ?? peer.card;
      return {
        digits: safetyNumber(crypto, identity.card, other),
        words: safetyWords(crypto, identity.card, other),
      };
    });
  }

  /**
   * Publishes the prekeys that the hub lacks: at every connect, and when the hub reports few left.
   */
  replenish(): Promise<void> {
    return coded(async () => {
      const { directory, identity } = this.#ports;
      const left = await directory.left(identity.card.keyId);
      const made = await oneAtATime(this.#queues, this.#sessionStore, () =>
        replenished(this.#ports, this.#sessionStore, left),
      );
      if (made === null) return;
      await made.durable;
      await directory.publish(made.keys);
    });
  }

  seal(plaintext: Uint8Array, context: SealContext): Promise<string> {
    return coded(() => this.#exchange.seal(MESSAGES, plaintext, context));
  }

  open(wire: string, context: OpenContext): Promise<OpenedMessage> {
    return coded(async () => {
      const taken = await this.#exchange.take(MESSAGES, wire, context);
      const { digest, content, callId, durable } = taken;
      const done = () => coded(() => this.#exchange.dealtWith(digest));
      return { plaintext: content, call_id: callId, kept: () => coded(() => durable), done };
    });
  }

  sealStream(
    streamId: string,
    context: Pick<SealContext, "conversation_id" | "recipient_ids">,
  ): Promise<SealedStream> {
    return coded(async () => {
      const { crypto, identity } = this.#ports;
      const secret = crypto.randomBytes(SIZES.key);
      const about = { ...context, kind: STREAM_START_KIND, call_id: null };
      const start = await this.#exchange.seal(STREAMS, secret, about);
      const senderId = identity.card.ownerId;
      const place = { conversationId: context.conversation_id, senderId, streamId };
      return sealedStream(crypto, streamKey(crypto, secret, place), start);
    });
  }

  openStream(
    wire: string,
    streamId: string,
    { conversation_id, sender_id }: Pick<OpenContext, "conversation_id" | "sender_id">,
  ): Promise<OpenedStream> {
    return coded(async () => {
      const { crypto } = this.#ports;
      const about = { conversation_id, sender_id, kind: STREAM_START_KIND };
      const { content, durable } = await this.#exchange.take(STREAMS, wire, about);
      await durable;
      const place = { conversationId: conversation_id, senderId: sender_id, streamId };
      return openedStream(crypto, streamKey(crypto, content, place));
    });
  }

  /**
   * Before the program ends: resolves when it can go on without gaps. Without it, others miss a few numbers.
   * @throws SealingError `storage_failed`
   */
  close(): Promise<void> {
    return coded(() =>
      oneAtATime(this.#queues, this.#sessionStore, () => this.#sessionStore.settle()),
    );
  }

  /** How much of the ledger with this owner we know. */
  ledgerHead(ownerId: string): LedgerHead {
    return this.#sessionStore.peer(ownerId)?.ledger ?? NO_LEDGER;
  }

  /**
   * Verifies a whole ledger as the hub returns it, and remembers its head.
   * @throws SealingError `keys_missing`, `ledger_broken`, `ledger_rolled_back`, `bad_signature`
   */
  verifyLedger(ownerId: string, entries: readonly Uint8Array[]): Promise<VerifiedLedger> {
    return coded(async () => {
      const { crypto, identity, role } = this.#ports;
      const { card, ledger: seen } = this.#sessionStore.peer(ownerId) ?? refuse("keys_missing");
      const [person, agent]: readonly [IdentityCard, IdentityCard] =
        role === "person" ? [identity.card, card] : [card, identity.card];
      const expected = { person, agentId: agent.ownerId, seen };
      const ledger = verifyLedger(crypto, entries, expected);
      await this.#peerDirectory.keepLedger(ownerId, ledger.head);
      return ledger;
    });
  }
}

/**
 * Creates the prekeys that the hub lacks, and keeps their private halves.
 * @param left one-time prekeys at the hub; null if it has no keys of ours
 * @returns what to publish; null if nothing
 */
function replenished(
  { crypto, identity, now }: Pick<E2eePorts, "crypto" | "identity" | "now">,
  sessionStore: SessionStore,
  left: number | null,
): { readonly keys: PublishedKeys; readonly durable: Promise<void> } | null {
  const plan = planPrekeys(sessionStore.prekeys, left ?? 0, now());
  if (left !== null && !plan.addSigned && plan.addOneTime === 0) return null;
  let prekeys = dropPrekeys(sessionStore.prekeys, plan);
  if (plan.addSigned) prekeys = addSignedPrekey(crypto, identity, prekeys, now());
  const before = prekeys.oneTime.length;
  prekeys = addOneTimePrekeys(crypto, identity, prekeys, plan.addOneTime);
  const { durable } = sessionStore.stage({ prekeys });
  const newest = prekeys.signed.at(-1);
  if (newest === undefined) return null;
  const keys = {
    card: encodeCard(identity.card),
    signedPrekey: encodeSignedPrekey(newest),
    oneTimePrekeys: prekeys.oneTime.slice(before).map(encodeOneTimePrekey),
  };
  return { keys, durable };
}
