import { bridgeError } from "../../../app/bridge/client-bridge.ts";
import { fromBase64 } from "../../../app/contract/base64.ts";
import type { E2eeClient } from "../../../app/encryption/e2ee/e2ee-client.ts";
import { encryptionError, refuse } from "../../../app/encryption/encryption-error.ts";
import { readCard } from "../../../app/encryption/identity/identity.ts";
import type { KnownAgent } from "../../../app/grants/grant.ts";
import { sealingError } from "../../../app/protocol/v1/message-sealing.ts";
import type { RelationView } from "../../../app/protocol/v1/rest.ts";
import { nodePrimitives } from "../../../runtime/crypto/node-primitives.ts";
import { hubKeyDirectory } from "../../channels/hub-keys.ts";
import { type HubRequest, hubRestError } from "../../channels/hub-rest.ts";
import type { PersonKeys } from "./person-keys.ts";

/** The keys of an agent that asks to be added. */
export interface OfferedKeys {
  readonly pairing_id: string;
  /** Base64. The signed card says how to write to its agent; the hub's word does not count. */
  readonly identity_card?: string;
}

export interface KeyringPorts {
  readonly e2ee: E2eeClient;
  readonly agents: {
    list(): readonly KnownAgent[];
    agent(agentId: string): KnownAgent | undefined;
  };
  readonly request: HubRequest;
  readonly clock: { now(): number };
  readonly keys: PersonKeys;
  /** Resolves when nothing is under way that could make this agent known. */
  readonly settledFor: (agentId: string) => Promise<unknown>;
  /** Its keys were unknown; they rest on the hub's word until they are compared. */
  readonly metAgain: (agentId: string) => void;
  readonly report: (error: unknown) => void;
}

/** The shortest time between two checks at the hub of an agent's changed key, in milliseconds. */
const LOOK_AGAIN_MS = 60_000;

/** Learns agents' keys at pairing; later keys are either the same or reported as changed. */
export class AgentKeyring {
  readonly #ports: KeyringPorts;
  /** Agents whose keys are being fetched. */
  readonly #meeting = new Map<string, Promise<void>>();
  /** When an agent's changed key was last checked because of a message. */
  readonly #lookedAt = new Map<string, number>();

  constructor(ports: KeyringPorts) {
    this.#ports = ports;
  }

  /**
   * Shows the safety number of an agent that asks.
   * @returns false for a card that no agent can have signed: the person is not to be asked
   */
  offered({ pairing_id, identity_card }: OfferedKeys): boolean {
    if (identity_card === undefined) return true;
    try {
      const bytes = fromBase64(identity_card) ?? refuse("malformed");
      const card = readCard(nodePrimitives, bytes);
      if (card.level === null) return false;
      this.#ports.keys.addPairing(pairing_id, card.level, card);
      return true;
    } catch (error) {
      if (!encryptionError.is(error)) throw error;
      this.#ports.report(error);
      return false;
    }
  }

  /**
   * The person added it, so the card that was shown is accepted.
   * @throws BridgeError `key_changed` when it is not this agent's, or not the one known
   */
  async met(
    offer: OfferedKeys,
    { agent_id, conversation_id }: Pick<RelationView, "agent_id" | "conversation_id">,
  ): Promise<void> {
    const { identity_card } = offer;
    const card = identity_card === undefined ? undefined : fromBase64(identity_card);
    if (card === undefined) return;
    try {
      await this.#introduce(agent_id, card, conversation_id);
    } catch (error) {
      const isRefused = sealingError.is(error) || encryptionError.is(error);
      throw isRefused ? bridgeError("key_changed") : error;
    }
    this.#ports.keys.refresh();
  }

  /** The pairing is over. */
  withdrawn(pairingId: string): void {
    this.#ports.keys.removePairing(pairingId);
  }

  /** The hub reports a new or changed card of this owner. */
  changed(ownerId: string): void {
    void this.#inBackground(this.#look(ownerId));
  }

  /** After a connect: fetches the keys of agents whose keys were lost here. */
  reconcile(): void {
    void this.#inBackground(this.#reconcile());
  }

  /**
   * Checks that the key the hub shows now is the agent's known key or its known change.
   * @throws BridgeError `key_changed` when it shows none, `hub_unreachable`
   */
  async lookNow(agentId: string): Promise<void> {
    const card = await this.#cardOf(agentId).catch((error: unknown) => {
      throw hubRestError.is(error) ? bridgeError("hub_unreachable") : error;
    });
    if (card === null) throw bridgeError("key_changed");
    await this.#ports.e2ee.introduce(agentId, card, null);
    this.#ports.keys.refresh();
  }

  /** Resolves when this agent's keys are known or cannot be fetched. Never rejects. */
  async keysKnown(agentId: string): Promise<void> {
    const underWay = this.#meeting.get(agentId);
    if (underWay === undefined && this.#isMet(agentId)) {
      if (this.#isDoubtful(agentId)) await this.#lookAgain(agentId);
      return;
    }
    const meeting = underWay ?? this.#meet(agentId);
    this.#meeting.set(agentId, meeting);
    await meeting;
    if (this.#meeting.get(agentId) === meeting) this.#meeting.delete(agentId);
  }

  /** Publishes those of our own keys that the hub lacks. Never rejects. */
  replenish(): Promise<void> {
    return this.#inBackground(this.#ports.e2ee.replenish());
  }

  #isDoubtful(agentId: string): boolean {
    const changed = this.#ports.e2ee.peer(agentId)?.changed_to ?? null;
    return changed !== null;
  }

  /** A hub that went back to the known key may not have reported it. */
  async #lookAgain(agentId: string): Promise<void> {
    const now = this.#ports.clock.now();
    const since = now - (this.#lookedAt.get(agentId) ?? Number.NEGATIVE_INFINITY);
    if (since < LOOK_AGAIN_MS) return;
    this.#lookedAt.set(agentId, now);
    await this.#inBackground(this.#look(agentId));
  }

  async #look(ownerId: string): Promise<void> {
    const { e2ee, agents, keys } = this.#ports;
    const isKnown = e2ee.peer(ownerId) !== undefined;
    if (!this.#isMet(ownerId) && agents.agent(ownerId) !== undefined) {
      await this.keysKnown(ownerId);
    } else if (isKnown) {
      const card = await this.#cardOf(ownerId);
      if (card !== null) await e2ee.introduce(ownerId, card, null);
      keys.refresh();
    }
  }

  async #reconcile(): Promise<void> {
    const unmet = (await this.#relations()).filter(
      ({ agent_id, status }) => status !== "revoked" && !this.#isMet(agent_id),
    );
    await Promise.all(unmet.map(({ agent_id }) => this.keysKnown(agent_id)));
  }

  #isMet(ownerId: string): boolean {
    return (this.#ports.e2ee.peer(ownerId)?.introduction ?? null) !== null;
  }

  /** From the hub's relation, or the card of an agent that the person is adding. */
  async #meet(agentId: string): Promise<void> {
    const { keys, settledFor, metAgain, report } = this.#ports;
    try {
      await settledFor(agentId);
      const relation = (await this.#relations()).find((each) => each.agent_id === agentId);
      const card = relation === undefined ? null : await this.#cardOf(agentId);
      if (relation === undefined || card === null || this.#isMet(agentId)) return;
      await this.#introduce(agentId, card, relation.conversation_id);
      metAgain(agentId);
      keys.refresh();
    } catch (error) {
      report(error);
    }
  }

  /** @throws EncryptionError as `readCard`; SealingError `downgraded` for a card without a level */
  async #introduce(agentId: string, bytes: Uint8Array, conversationId: string): Promise<void> {
    const { level } = readCard(nodePrimitives, bytes);
    if (level === null) throw sealingError("downgraded");
    await this.#ports.e2ee.introduce(agentId, bytes, { level, conversationId });
  }

  #relations(): Promise<readonly RelationView[]> {
    return this.#ports.request("GET", "/h2a/relations");
  }

  #cardOf(ownerId: string): Promise<Uint8Array | null> {
    return hubKeyDirectory(this.#ports.request).card(ownerId);
  }

  #inBackground(work: Promise<unknown>): Promise<void> {
    return work.then(
      () => undefined,
      (error: unknown) => this.#ports.report(error),
    );
  }
}
