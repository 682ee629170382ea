import type {
  AgentKeyView,
  KeysView,
  LedgerState,
  PairingKeyView,
  SafetyView,
} from "../../../app/bridge/agent-views.ts";
import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { toHex } from "../../../app/encryption/bytes.ts";
import type { CryptoPrimitives } from "../../../app/encryption/crypto-primitives.ts";
import type { EncryptionLevel, PeerView } from "../../../app/encryption/e2ee/ports.ts";
import {
  keyFingerprint,
  safetyNumber,
  safetyWords,
} from "../../../app/encryption/identity/fingerprint.ts";
import type { Identity, IdentityCard } from "../../../app/encryption/identity/identity.ts";

/** What is known about other owners' keys; implemented by `E2eeClient`. */
interface PeerLookup {
  peer(ownerId: string): PeerView | undefined;
  peers(): readonly PeerView[];
  /** Resolves once durable. */
  acceptKey(ownerId: string, keyId: string): Promise<void>;
  markVerified(ownerId: string, keyId: string, verified: boolean): Promise<void>;
}

export interface PersonKeysPorts {
  readonly crypto: CryptoPrimitives;
  readonly identity: Identity;
  readonly book: PeerLookup;
  readonly ledgerState: (agentId: string) => LedgerState;
  readonly changed: () => void;
  /**
   * Resolves if the hub's current key of the agent is the one in the book.
   * @throws BridgeError
   */
  readonly lookNow: (agentId: string) => Promise<void>;
  /** The person accepted the agent's key: messages that waited may be handled. */
  readonly accepted: (agentId: string) => void;
}

type Keyed = Pick<IdentityCard, "keyId">;

/** The agents' keys, as the person sees and verifies them. */
export class PersonKeys {
  readonly #ports: PersonKeysPorts;
  readonly #pairings = new Map<string, PairingKeyView>();
  /** Of the agents' keys, by key ID: deriving one takes longer than the rest of a refresh. */
  readonly #safeties = new Map<string, SafetyView>();
  #agents: readonly AgentKeyView[] = [];
  #restartNeeded = false;

  constructor(ports: PersonKeysPorts) {
    this.#ports = ports;
  }

  view(): KeysView {
    return {
      agents: this.#agents,
      pairings: [...this.#pairings.values()],
      restart_needed: this.#restartNeeded,
    };
  }

  /** Something about keys or ledgers has changed: `view` is up to date again. */
  refresh(): void {
    const peers = this.#ports.book.peers().filter(({ introduction }) => introduction !== null);
    this.#agents = peers.map((peer) => this.#keyOf(peer));
    this.#ports.changed();
  }

  /** True while no call of this agent may run (contract §9). Takes effect at once. */
  isInDoubt(agentId: string): boolean {
    const changed = this.#ports.book.peer(agentId)?.changed_to ?? null;
    return changed !== null || this.#ports.ledgerState(agentId) !== "in_step";
  }

  addPairing(pairingId: string, level: EncryptionLevel, card: Keyed): void {
    const safety = this.#safetyOf(card);
    const fingerprint = keyFingerprint(toHex(card.keyId));
    this.#pairings.set(pairingId, { pairing_id: pairingId, level, safety, fingerprint });
    this.#ports.changed();
  }

  removePairing(pairingId: string): void {
    if (this.#pairings.delete(pairingId)) this.#ports.changed();
  }

  /**
   * Accepts the number that was shown, because consent is to what was shown (contract §2). It counts
   * only while the agent still uses that key.
   * @throws BridgeError `key_changed`, `hub_unreachable`
   */
  async accept(agentId: string, digits: string): Promise<void> {
    const { book, accepted, lookNow } = this.#ports;
    const shown = this.#agents.find(({ agent_id }) => agent_id === agentId)?.changed;
    if (shown?.digits === digits) await lookNow(agentId);
    const keyId = book.peer(agentId)?.changed_to ?? null;
    if (shown?.digits !== digits || keyId === null) throw bridgeError("key_changed");
    this.#requireNumber(keyId, digits);
    await book.acceptKey(agentId, keyId);
    this.refresh();
    accepted(agentId);
  }

  async verify(agentId: string, digits: string, verified: boolean): Promise<void> {
    const { book } = this.#ports;
    const keyId = book.peer(agentId)?.key_id;
    if (keyId === undefined) throw bridgeError("not_found");
    this.#requireNumber(keyId, digits);
    await book.markVerified(agentId, keyId, verified);
    this.refresh();
  }

  restored(): void {
    this.#restartNeeded = true;
    this.#ports.changed();
  }

  #requireNumber(keyId: string, digits: string): void {
    if (this.#knownSafety(keyId).digits !== digits) throw bridgeError("key_changed");
  }

  #keyOf({ owner_id, key_id, verified, introduction, changed_to }: PeerView) {
    const view: AgentKeyView = {
      agent_id: owner_id,
      level: introduction?.level ?? "sealed",
      verified,
      safety: this.#knownSafety(key_id),
      changed: changed_to === null ? null : this.#knownSafety(changed_to),
      ledger: this.#ports.ledgerState(owner_id),
    };
    return view;
  }

  #knownSafety(keyId: string): SafetyView {
    const safety = this.#safeties.get(keyId) ?? this.#safetyOf({ keyId: fromHex(keyId) });
    this.#safeties.set(keyId, safety);
    return safety;
  }

  #safetyOf(other: Keyed): SafetyView {
    const { crypto, identity } = this.#ports;
    return {
      digits: safetyNumber(crypto, identity.card, other),
      words: safetyWords(crypto, identity.card, other),
    };
  }
}

const fromHex = (text: string): Uint8Array => new Uint8Array(Buffer.from(text, "hex"));
