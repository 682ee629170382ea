import Type from "typebox";
import { toBase64 } from "../../app/contract/base64.ts";
import { guardOf } from "../../app/contract/checked.ts";
import type { Correspondence } from "../../app/encryption/correspondence/correspondence.ts";
import type { EncryptionLevel } from "../../app/encryption/correspondence/ports.ts";
import { SealingError } from "../../app/protocol/v1/message-sealing.ts";
import { SendError } from "../send-error.ts";
import { type PatientHub, restDirectory } from "./rest-directory.ts";

export interface MetPerson {
  readonly userId: string;
  readonly conversationId: string;
  /** Null if the pairing came without one. */
  readonly card: Uint8Array | null;
}

interface MembersPorts {
  readonly agentId: string;
  readonly level: EncryptionLevel;
  readonly hub: PatientHub;
}

const isConversation = guardOf(
  Type.Object({
    type: Type.Union([Type.Literal("h2a"), Type.Literal("group")]),
    members: Type.Array(Type.Object({ member_id: Type.String(), member_type: Type.String() })),
  }),
);

/** Who else is in a conversation, and whether their keys are still the known ones. */
export class Members {
  readonly #ports: MembersPorts;
  readonly #correspondence: Correspondence;
  /** Null: the hub has no such conversation of the agent's. */
  readonly #others = new Map<string, Promise<readonly string[] | null>>();

  constructor(ports: MembersPorts, correspondence: Correspondence) {
    this.#ports = ports;
    this.#correspondence = correspondence;
  }

  /** Asks the hub once; a relation's person becomes known this way. @throws SealingError `keys_missing` */
  async others(conversationId: string): Promise<readonly string[]> {
    const others = await this.#known(conversationId);
    if (others === null) throw new SealingError("keys_missing");
    return others;
  }

  /** Whom a message goes to. @throws SendError `NOT_A_MEMBER`, like the hub; SealingError `keys_missing` */
  async recipients(conversationId: string): Promise<readonly string[]> {
    const others = await this.#known(conversationId);
    if (others === null) throw new SendError("NOT_A_MEMBER");
    return others;
  }

  /** The person who has just added the agent, by the card that came with that. */
  async met({ userId, conversationId, card }: MetPerson): Promise<void> {
    const { level } = this.#ports;
    if (card === null) await this.others(conversationId);
    else await this.#correspondence.introduce(userId, card, { level, conversationId });
  }

  forget(conversationId: string): void {
    this.#others.delete(conversationId);
  }

  /** The hub says which identity an owner has now; the owner's signed card confirms or refutes it. */
  async lookAgain(ownerId: string, keyId: string): Promise<void> {
    const known = this.#correspondence.peer(ownerId);
    if (known === undefined || keyIdText(known.changed_to ?? known.key_id) === keyId) return;
    const card = await restDirectory(this.#ports.hub).card(ownerId);
    if (card !== null) await this.#correspondence.introduce(ownerId, card, null);
  }

  #known(conversationId: string): Promise<readonly string[] | null> {
    const known = this.#others.get(conversationId);
    if (known !== undefined) return known;
    const asked = this.#ask(conversationId);
    this.#others.set(conversationId, asked);
    const forget = () => this.forget(conversationId);
    asked.then((others) => others ?? forget(), forget);
    return asked;
  }

  async #ask(conversationId: string): Promise<readonly string[] | null> {
    const peers = this.#correspondence.peers();
    const direct = peers.find((peer) => peer.introduction?.conversationId === conversationId);
    if (direct !== undefined) return [direct.owner_id];
    const { agentId, hub } = this.#ports;
    const path = `/conversations/${encodeURIComponent(conversationId)}`;
    const conversation = await hub.ask({ method: "GET", path });
    if (conversation === null) return null;
    if (!isConversation(conversation)) throw new SealingError("keys_missing");
    const { type, members } = conversation;
    const others = members.filter(({ member_id }) => member_id !== agentId);
    if (type === "h2a")
      for (const { member_id } of others) await this.#meet(member_id, conversationId);
    return others.map(({ member_id }) => member_id);
  }

  async #meet(personId: string, conversationId: string): Promise<void> {
    const { hub, level } = this.#ports;
    const card = await restDirectory(hub).card(personId);
    if (card === null) throw new SealingError("keys_missing");
    await this.#correspondence.introduce(personId, card, { level, conversationId });
  }
}

/** Hex as base64, the form the hub uses. */
const keyIdText = (hex: string): string =>
  toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));
