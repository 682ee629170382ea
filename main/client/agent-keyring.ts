import { BridgeError } from "../../app/bridge/client-bridge.ts";
import type { Correspondence } from "../../app/encryption/correspondence/correspondence.ts";
import type { EncryptionLevel, Introduction } from "../../app/encryption/correspondence/ports.ts";
import { readCard } from "../../app/encryption/identity/identity-card.ts";
import type { KnownAgent } from "../../app/grants/grant.ts";
import { fromBase64 } from "../../app/protocol/v1/base64.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import { nodePrimitives } from "../../crypto/node-primitives.ts";
import { hubKeyDirectory } from "../channels/hub-keys.ts";
import type { HubRequest } from "../channels/hub-rest.ts";
import type { PersonKeys } from "./person-keys.ts";

/** What an agent that asks to be added says about its keys. */
export interface OfferedKeys {
  readonly pairing_id: string;
  /** Base64. */
  readonly identity_card?: string;
  readonly encryption?: EncryptionLevel;
}

export interface KeyringPorts {
  readonly correspondence: Correspondence;
  readonly agents: {
    list(): readonly KnownAgent[];
    agent(agentId: string): KnownAgent | undefined;
  };
  readonly request: HubRequest;
  readonly keys: PersonKeys;
  readonly report: (error: unknown) => void;
}

/** How agents' keys become known: with the pairing, and later only as the same ones or changed. */
export class AgentKeyring {
  readonly #ports: KeyringPorts;

  constructor(ports: KeyringPorts) {
    this.#ports = ports;
  }

  /** Shows the safety number of an agent that asks; none for a card that does not hold. */
  async offered({ pairing_id, identity_card, encryption }: OfferedKeys): Promise<void> {
    const bytes = identity_card === undefined ? undefined : fromBase64(identity_card);
    if (bytes === undefined || encryption === undefined) return;
    try {
      const card = await readCard(nodePrimitives, bytes);
      await this.#ports.keys.addPairing(pairing_id, encryption, card);
    } catch (error) {
      this.#ports.report(error);
    }
  }

  /**
   * The person added it: the card that was shown is the one that counts.
   * @throws BridgeError `key_changed` when it is not this agent's, or not the one known
   */
  async met(
    offer: OfferedKeys,
    { agent_id, conversation_id }: Pick<RelationView, "agent_id" | "conversation_id">,
  ): Promise<void> {
    const { identity_card, encryption } = offer;
    const card = identity_card === undefined ? undefined : fromBase64(identity_card);
    if (card === undefined || encryption === undefined) return;
    const introduction = { level: encryption, conversationId: conversation_id };
    try {
      await this.#ports.correspondence.introduce(agent_id, card, introduction);
    } catch (error) {
      throw error instanceof SealingError ? new BridgeError("key_changed") : error;
    }
    await this.#ports.keys.refresh();
  }

  /** Nobody is asked about it any more. */
  withdrawn(pairingId: string): void {
    this.#ports.keys.removePairing(pairingId);
  }

  /** The hub says that this owner has another card than before, or has one. */
  changed(ownerId: string): void {
    this.#inBackground(this.#look(ownerId));
  }

  /** The hub gets what it lacks of our own keys. */
  replenish(): void {
    this.#inBackground(this.#ports.correspondence.replenish());
  }

  async #look(ownerId: string): Promise<void> {
    const { correspondence, agents, request, keys } = this.#ports;
    const known = correspondence.peer(ownerId);
    const agent = agents.agent(ownerId);
    if (known === undefined && agent === undefined) return;
    const card = await hubKeyDirectory(request).card(ownerId);
    if (card === null) return;
    const isMet = agent === undefined || (known?.introduction ?? null) !== null;
    const introduction = isMet ? null : await this.#introductionOf(agent);
    await correspondence.introduce(ownerId, card, introduction);
    await keys.refresh();
  }

  /** Of an agent that was added before its keys were known, or whose keys were lost. */
  async #introductionOf(agent: KnownAgent): Promise<Introduction> {
    const relations = (await this.#ports.request(
      "GET",
      "/h2a/relations",
    )) as readonly RelationView[];
    const relation = relations.find(({ agent_id }) => agent_id === agent.agent_id);
    const level = relation?.connection_mode === "webhook" ? "sealed" : "ratchet";
    return { level, conversationId: agent.conversation_id };
  }

  #inBackground(work: Promise<unknown>): void {
    work.catch((error: unknown) => this.#ports.report(error));
  }
}
