import { fromBase64, toBase64 } from "../../app/contract/base64.ts";
import { E2eeClient } from "../../app/encryption/e2ee/e2ee-client.ts";
import type { KeyDirectory } from "../../app/encryption/e2ee/ports.ts";
import { createIdentity, type Identity } from "../../app/encryption/identity/identity.ts";
import { appendEntry } from "../../app/encryption/ledger/ledger.ts";
import { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import type { MessageNewFrame, PairingRequestedFrame } from "../../app/protocol/v1/frames.ts";
import { messageKind, type OpenedMessage } from "../../app/protocol/v1/message-sealing.ts";
import { nodePrimitives as crypto } from "../../runtime/crypto/node-primitives.ts";
import { realClock } from "../options.ts";

/** Where a person is at home. */
export interface PersonsPlace {
  readonly url: string;
  readonly userId: string;
  issueAccessToken(): Promise<string>;
}

export interface Payload {
  readonly conversation_id: string;
  readonly content_type: "text" | "artifact";
  readonly msg_subtype?: string;
}

/** Ten seconds, for a hub that is being killed and started again. */
const TRIES = 500;
const BETWEEN_TRIES_MS = 20;

/** A person's keys on a real hub: the agents they know, and what they seal and open. */
export class PersonsKeys {
  records = new MemoryRecords();
  identity: Identity | undefined;
  /** Messages of agents that never came. */
  missed = 0;
  readonly #place: PersonsPlace;
  #mail: E2eeClient | undefined;

  constructor(place: PersonsPlace) {
    this.#place = place;
  }

  get mail(): E2eeClient {
    if (this.#mail === undefined) throw new Error("not there yet");
    return this.#mail;
  }

  /**
   * Begins, or begins again with what the records have.
   * @param renewed a new session was started, and the agent must be told
   */
  async begin(renewed: (conversationId: string) => void = () => undefined): Promise<void> {
    this.identity ??= await createIdentity(crypto, this.#place.userId);
    this.#mail = await E2eeClient.open({
      crypto,
      identity: this.identity,
      role: "person",
      records: this.records,
      directory: this.#directory(),
      now: () => Date.now(),
      heard: (event) => {
        if (event.kind === "session_renewed") renewed(event.conversation_id);
        if (event.kind === "missed") this.missed += event.count;
      },
    });
    await this.mail.replenish();
  }

  /** The person adds the agent that asks to be, with these scopes. */
  async accept(
    { pairing_id, identity_card, encryption }: PairingRequestedFrame["payload"],
    granted_scopes: readonly string[],
  ): Promise<void> {
    const answer = { accept: true, granted_scopes };
    const related = await this.rest("POST", `/pairings/${pairing_id}/answer`, answer);
    // It was withdrawn meanwhile.
    if (related === undefined) return;
    await this.mail.introduce(related.agent_id, bytesOf(identity_card ?? ""), {
      level: encryption ?? "sealed",
      conversationId: related.conversation_id,
    });
  }

  async seal(frame: Payload, plaintext: Uint8Array, call_id: string | null): Promise<string> {
    const { conversation_id } = frame;
    const recipient_ids = await this.others(conversation_id);
    const about = { conversation_id, recipient_ids, kind: messageKind(frame), call_id };
    return this.mail.seal(plaintext, about);
  }

  open(frame: MessageNewFrame): Promise<OpenedMessage> {
    const { conversation_id, sender_id, encrypted_payload } = frame;
    const about = { conversation_id, sender_id, kind: messageKind(frame) };
    return this.mail.open(encrypted_payload, about);
  }

  /** Everybody else in the conversation. */
  async others(conversationId: string): Promise<readonly string[]> {
    const isDirect = ({ introduction }: { introduction: { conversationId: string } | null }) =>
      introduction?.conversationId === conversationId;
    const direct = this.mail.peers().find(isDirect);
    if (direct !== undefined) return [direct.owner_id];
    const { members } = await this.rest("GET", `/conversations/${conversationId}`);
    const ids: string[] = members.map(({ member_id }: { member_id: string }) => member_id);
    return ids.filter((id) => id !== this.#place.userId);
  }

  /** Signs a grant into the relation's ledger. */
  async grant(relationId: string, agentId: string, scopes: readonly string[]): Promise<void> {
    if (this.identity === undefined) throw new Error("not there yet");
    const head = this.mail.ledgerHead(agentId);
    const change = { agentId, at: 1, manifestHash: new Uint8Array(32), scopes };
    const { bytes } = await appendEntry(crypto, this.identity, head, { ...change, kind: "grant" });
    const path = `/h2a/relations/${relationId}/ledger`;
    await this.rest("POST", path, { index: head.length, entry: toBase64(bytes) });
    const { entries } = await this.rest("GET", path);
    await this.mail.verifyLedger(agentId, entries.map(bytesOf));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test's own answers
  async rest(method: string, path: string, body?: unknown): Promise<any> {
    for (let left = TRIES; ; left -= 1) {
      try {
        const authorization = `Bearer ${await this.#place.issueAccessToken()}`;
        const response = await fetch(`${this.#place.url}${path}`, {
          method,
          headers: { authorization },
          ...(body === undefined ? {} : { body: JSON.stringify(body) }),
        });
        return ((await response.json()) as { data?: unknown }).data;
      } catch (error) {
        if (left === 0) throw error;
        await new Promise<void>((resolve) => realClock.after(BETWEEN_TRIES_MS, resolve));
      }
    }
  }

  #directory(): KeyDirectory {
    return {
      publish: async ({ card, signedPrekey, oneTimePrekeys }) => {
        const body = {
          identity_card: toBase64(card),
          signed_prekey: toBase64(signedPrekey),
          one_time_prekeys: oneTimePrekeys.map(toBase64),
        };
        await this.rest("PUT", "/keys/mine", body);
      },
      left: async () => (await this.rest("GET", "/keys/mine"))?.one_time_left ?? null,
      card: async (id) => bytesOf((await this.rest("GET", `/keys/${id}`)).identity_card),
      bundle: async (id) => bytesOf((await this.rest("POST", `/keys/${id}/bundle`)).bundle),
    };
  }
}

const bytesOf = (text: string): Uint8Array => fromBase64(text) ?? new Uint8Array(0);
