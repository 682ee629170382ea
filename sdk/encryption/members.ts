import Type from "typebox";
import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { isJsonObject, ownValue } from "../../app/contract/json.ts";
import type { E2eeClient } from "../../app/encryption/e2ee/e2ee-client.ts";
import type { EncryptionLevel, KeyDirectory } from "../../app/encryption/e2ee/ports.ts";
import { reconnectDelayMs } from "../../app/protocol/link/connection.ts";
import { sealingError } from "../../app/protocol/v1/message-sealing.ts";
import { AgentError } from "../errors.ts";
import { askHub, type HubPorts, type HubRequest, pause } from "../hub-client.ts";

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
  readonly #e2ee: E2eeClient;
  /** Null: the hub has no such conversation of the agent's. */
  readonly #others = new Map<string, Promise<readonly string[] | null>>();

  constructor(ports: MembersPorts, e2ee: E2eeClient) {
    this.#ports = ports;
    this.#e2ee = e2ee;
  }

  /** Asks the hub once; a relation's person becomes known this way. @throws SealingError `keys_missing` */
  async others(conversationId: string): Promise<readonly string[]> {
    const others = await this.#known(conversationId);
    if (others === null) throw sealingError("keys_missing");
    return others;
  }

  /** Whom a message goes to. @throws AgentError `NOT_A_MEMBER`, like the hub; SealingError `keys_missing` */
  async recipients(conversationId: string): Promise<readonly string[]> {
    const others = await this.#known(conversationId);
    if (others === null) throw new AgentError("NOT_A_MEMBER");
    return others;
  }

  /** The person who has just added the agent, by the card that came with that. */
  async met({ userId, conversationId, card }: MetPerson): Promise<void> {
    const { level } = this.#ports;
    if (card === null) await this.others(conversationId);
    else await this.#e2ee.introduce(userId, card, { level, conversationId });
  }

  forget(conversationId: string): void {
    this.#others.delete(conversationId);
  }

  /** The hub says which identity an owner has now; the owner's signed card confirms or refutes it. */
  async lookAgain(ownerId: string, keyId: string): Promise<void> {
    const known = this.#e2ee.peer(ownerId);
    if (known === undefined || keyIdText(known.changed_to ?? known.key_id) === keyId) return;
    const card = await restDirectory(this.#ports.hub).card(ownerId);
    if (card !== null) await this.#e2ee.introduce(ownerId, card, null);
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
    const peers = this.#e2ee.peers();
    const direct = peers.find((peer) => peer.introduction?.conversationId === conversationId);
    if (direct !== undefined) return [direct.owner_id];
    const { agentId, hub } = this.#ports;
    const path = `/conversations/${encodeURIComponent(conversationId)}`;
    const conversation = await hub.ask({ method: "GET", path });
    if (conversation === null) return null;
    if (!isConversation(conversation)) throw sealingError("keys_missing");
    const { type, members } = conversation;
    const others = members.filter(({ member_id }) => member_id !== agentId);
    if (type === "h2a")
      for (const { member_id } of others) await this.#meet(member_id, conversationId);
    return others.map(({ member_id }) => member_id);
  }

  async #meet(personId: string, conversationId: string): Promise<void> {
    const { hub, level } = this.#ports;
    const card = await restDirectory(hub).card(personId);
    if (card === null) throw sealingError("keys_missing");
    await this.#e2ee.introduce(personId, card, { level, conversationId });
  }
}

/** Hex as base64, the form the hub uses. */
const keyIdText = (hex: string): string =>
  toBase64(Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)));

/** The hub's REST side for one agent, wherever it is: requests are repeated until it answers or the agent closes. */
export class PatientHub {
  readonly #ports: () => HubPorts & { readonly token: string };
  readonly #signal: AbortSignal;

  constructor(ports: () => HubPorts & { readonly token: string }, signal: AbortSignal) {
    this.#ports = ports;
    this.#signal = signal;
  }

  /** Whether that hub lets the agent in; waits until it answers. */
  async isLetIn(baseUrl: string, token: string): Promise<boolean> {
    const at = new PatientHub(() => ({ ...this.#ports(), baseUrl, token }), this.#signal);
    try {
      await at.ask({ method: "GET", path: "/keys/mine" });
      return true;
    } catch {
      return false;
    }
  }

  /**
   * @returns the answer's `data`; null for `NOT_FOUND`
   * @throws SealingError `keys_missing` when the hub refuses, or the agent has closed
   */
  async ask(request: Pick<HubRequest, "method" | "path" | "body">): Promise<unknown> {
    for (let failures = 0; ; failures += 1) {
      const signal = this.#signal;
      if (signal.aborted) throw sealingError("keys_missing");
      const ports = this.#ports();
      const answer = await askHub(ports, { ...request, token: ports.token, signal });
      if (answer.kind === "data") return answer.data;
      if (answer.kind === "refused") {
        if (answer.code === "NOT_FOUND") return null;
        if (answer.code !== "RATE_LIMITED") throw sealingError("keys_missing");
      }
      await this.pause(reconnectDelayMs(failures, ports.clock.random()));
    }
  }

  /** Resolves after `ms` milliseconds, or at once when the agent closes. */
  pause(ms: number): Promise<void> {
    return pause(this.#ports().clock, ms, this.#signal);
  }
}

/** docs/encryption.md, "Keys at the hub". */
export function restDirectory(hub: PatientHub): KeyDirectory {
  const ofOwner = (ownerId: string) => `/keys/${encodeURIComponent(ownerId)}`;
  return {
    async publish({ card, signedPrekey, oneTimePrekeys }) {
      const body = {
        identity_card: toBase64(card),
        signed_prekey: toBase64(signedPrekey),
        one_time_prekeys: oneTimePrekeys.map(toBase64),
      };
      await hub.ask({ method: "PUT", path: "/keys/mine", body });
    },
    async left(ownKeyId) {
      const data = await hub.ask({ method: "GET", path: "/keys/mine" });
      const left = field(data, "one_time_left");
      return field(data, "key_id") === toBase64(ownKeyId) && typeof left === "number" ? left : null;
    },
    card: async (ownerId) =>
      bytesIn(await hub.ask({ method: "GET", path: ofOwner(ownerId) }), "identity_card"),
    bundle: async (ownerId) =>
      bytesIn(await hub.ask({ method: "POST", path: `${ofOwner(ownerId)}/bundle` }), "bundle"),
  };
}

const field = (data: unknown, name: string): unknown =>
  isJsonObject(data) ? ownValue(data, name) : undefined;

function bytesIn(data: unknown, name: string): Uint8Array | null {
  const text = field(data, name);
  return typeof text === "string" ? (fromBase64(text) ?? null) : null;
}
