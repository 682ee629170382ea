import { assertNever } from "../../app/contract/assert-never.ts";
import { E2eeClient } from "../../app/encryption/e2ee/e2ee-client.ts";
import type { E2eeEvent, EncryptionLevel, KeyRecords } from "../../app/encryption/e2ee/ports.ts";
import type { Identity } from "../../app/encryption/identity/identity.ts";
import type { MessageNewFrame, RelationFrame, ServerFrame } from "../../app/protocol/v1/frames.ts";
import { readHubMove } from "../../app/protocol/v1/hub-move.ts";
import {
  ENCRYPTION_SESSION_SUBTYPE,
  encodeSessionSign,
  type MessageKind,
  messageKind,
  type OpenedMessage,
  type SealedStream,
  sealingError,
} from "../../app/protocol/v1/message-sealing.ts";
import { TOOL_RESPONSE_SUBTYPE } from "../../app/protocol/v1/tool-messages.ts";
import { nodePrimitives as crypto, later } from "../../runtime/crypto/node-primitives.ts";
import type { HubMovedEvent } from "../events.ts";
import type { HubPlaces } from "../hub-places.ts";
import type { EncryptionEvent, OpenedMail, SafetyNumber } from "./encryption-events.ts";
import { GrantProof } from "./grant-proof.ts";
import { KeyGates } from "./key-gates.ts";
import { Members, type MetPerson, type PatientHub, restDirectory } from "./members.ts";

export interface Unsealed {
  readonly conversation_id: string;
  readonly kind: MessageKind;
  readonly call_id: string | null;
  readonly plaintext: Uint8Array;
}

/** How an agent's messages become envelopes, and the other way round. */
export type Mail = Pick<
  KeyedMail,
  "seal" | "open" | "openNow" | "stream" | "connected" | "ready" | "heard" | "follow" | "close"
>;

export interface KeyedMailPorts {
  readonly identity: Identity;
  readonly level: EncryptionLevel;
  readonly records: KeyRecords;
  readonly hub: PatientHub;
  readonly places: HubPlaces;
  now(): number;
  tell(event: EncryptionEvent): void;
  /** Sends a message of this kind, without any content of the application's. */
  sign(conversationId: string, plaintext: Uint8Array): void;
  /** The person has started a new session: calls without an answer are sent again in it. */
  again(conversationId: string): void;
  /**
   * Nothing more is sealed or opened.
   * @param settle stores the keys so that the next start goes on without a gap
   */
  released(settle: () => Promise<void>): void;
}

/** The kind of the empty message that confirms a new session. */
export const SESSION_SIGN = {
  content_type: "artifact",
  msg_subtype: ENCRYPTION_SESSION_SUBTYPE,
} as const;

/** Encrypted envelopes, on the agent's side (docs/encryption.md, "How it travels"). */
export class KeyedMail {
  readonly #ports: KeyedMailPorts;
  readonly #e2ee: E2eeClient;
  readonly #members: Members;
  readonly #grants: GrantProof;
  readonly #gates = new KeyGates();
  #published: Promise<void> = Promise.resolve();
  #met: Promise<unknown> = Promise.resolve();

  private constructor(ports: KeyedMailPorts, e2ee: E2eeClient) {
    this.#ports = ports;
    this.#e2ee = e2ee;
    const { identity, level, hub } = ports;
    this.#members = new Members({ agentId: identity.card.ownerId, level, hub }, e2ee);
    this.#grants = new GrantProof(ports, e2ee);
  }

  /** @throws SealingError `corrupt_state`; whatever the key store throws */
  static async open(ports: KeyedMailPorts): Promise<KeyedMail> {
    const { records, identity, hub, now } = ports;
    let told: (event: E2eeEvent) => void = () => undefined;
    const e2ee = await E2eeClient.open({
      crypto,
      identity,
      role: "agent",
      records,
      directory: restDirectory(hub),
      now,
      heard: (event) => told(event),
      later,
    });
    const mail = new KeyedMail(ports, e2ee);
    told = (event) => void mail.#tell(event);
    return mail;
  }

  /** @throws AgentError, SealingError */
  async seal({ conversation_id, kind, call_id, plaintext }: Unsealed): Promise<string> {
    const recipient_ids = await this.#members.recipients(conversation_id);
    const about = { conversation_id, recipient_ids, kind, call_id };
    return this.#e2ee.seal(plaintext, about);
  }

  /** While the sender's changed key is not accepted, the message waits. @throws SealingError */
  async open(frame: MessageNewFrame): Promise<OpenedMail> {
    await this.#members.others(frame.conversation_id);
    // An answer is for a caller in this process: after a crash nobody waits for it.
    const awaited = frame.msg_subtype !== TOOL_RESPONSE_SUBTYPE;
    const opened = () => this.#opened(frame, awaited);
    return this.#mail(frame, await this.#gates.pass(frame.sender_id, opened));
  }

  /** @throws SealingError, including `key_changed` */
  async openNow(frame: MessageNewFrame): Promise<OpenedMail> {
    await this.#members.others(frame.conversation_id);
    return this.#mail(frame, await this.#opened(frame, true));
  }

  /** @throws AgentError, SealingError */
  async stream(streamId: string, conversation_id: string): Promise<SealedStream> {
    const recipient_ids = await this.#members.recipients(conversation_id);
    return this.#e2ee.sealStream(streamId, { conversation_id, recipient_ids });
  }

  /** The person has just added the agent; without their card, the hub is asked in the background. */
  async meet(person: MetPerson): Promise<void> {
    const met = this.#quietly(this.#members.met(person));
    this.#met = met;
    if (person.card !== null) await met;
  }

  /** Connected: publishes the keys that the hub lacks. */
  connected(): void {
    this.#published = this.#quietly(this.#e2ee.replenish());
  }

  /** Resolves when others can write to this agent, or when it has to be tried again later. */
  ready(): Promise<void> {
    return this.#published;
  }

  /** Called with every frame from the hub, before anything else handles it. */
  heard(frame: ServerFrame): void {
    switch (frame.type) {
      case "relation.established":
      case "relation.updated":
      case "relation.restored":
        void this.#quietly(this.#meet(frame.payload));
        break;
      case "keys.changed":
        void this.#quietly(this.#members.lookAgain(frame.owner_id, frame.key_id));
        break;
      case "prekeys.low":
        this.connected();
        break;
      case "group.updated":
        this.#members.forget(frame.payload.conversation_id);
        break;
      default:
    }
  }

  /**
   * The person says that they are at another hub now. Only an agent of theirs alone follows, once that hub
   * lets it in.
   * @returns null: it says nothing new, or not for this agent
   */
  async follow(
    { sender_id: user_id, conversation_id }: MessageNewFrame,
    plaintext: Uint8Array,
  ): Promise<HubMovedEvent | null> {
    const { places, hub, level } = this.#ports;
    const move = readHubMove(plaintext);
    const people = this.#e2ee.peers().filter(({ introduction }) => introduction !== null);
    const sender = people.find(({ owner_id }) => owner_id === user_id);
    const isDirect = sender?.introduction?.conversationId === conversation_id;
    if (move === undefined || !isDirect || !places.isNewer(move)) return null;
    const token = places.tokenFor(move);
    const isAlone = people.length === 1 && level === "ratchet";
    const followed =
      isAlone &&
      token !== undefined &&
      (await hub.isLetIn(move.hub, token).then(async (isIn) => {
        if (isIn) await places.become(move, token);
        return isIn;
      }));
    return { type: "hub.moved", payload: { user_id, hub: move.hub, followed } };
  }

  /** Makes no further requests to the hub. */
  close(): void {
    this.#gates.close();
    this.#ports.released(() => this.#quietly(this.#e2ee.close()));
  }

  /** @throws SealingError `keys_missing` */
  async safetyNumber(userId: string): Promise<SafetyNumber> {
    await this.#met;
    return this.#e2ee.safetyNumber(userId);
  }

  /** @throws SealingError `keys_missing`; `key_changed` when it is not the number that counts */
  async acceptKey(userId: string, digits: string): Promise<void> {
    const changedTo = this.#e2ee.peer(userId)?.changed_to ?? null;
    const shown = await this.safetyNumber(userId);
    if (changedTo === null || shown.digits !== digits) throw sealingError("key_changed");
    await this.#e2ee.acceptKey(userId, changedTo);
    this.#gates.open(userId);
  }

  #mail({ conversation_id, msg_subtype }: MessageNewFrame, opened: OpenedMessage): OpenedMail {
    if (msg_subtype === ENCRYPTION_SESSION_SUBTYPE) this.#ports.again(conversation_id);
    return { plaintext: opened.plaintext, callId: opened.call_id, done: () => opened.done() };
  }

  async #opened(frame: MessageNewFrame, awaited: boolean): Promise<OpenedMessage> {
    const { conversation_id, sender_id, encrypted_payload } = frame;
    const about = { conversation_id, sender_id, kind: messageKind(frame), awaited };
    const opened = await this.#e2ee.open(encrypted_payload, about);
    if (awaited) await opened.kept();
    return opened;
  }

  async #meet(relation: RelationFrame["payload"]): Promise<void> {
    await this.#members.others(relation.conversation_id);
    await this.#grants.check(relation);
  }

  async #tell(event: E2eeEvent): Promise<void> {
    const { tell, sign } = this.#ports;
    switch (event.kind) {
      case "session_renewed": {
        const { owner_id: user_id, conversation_id } = event;
        sign(conversation_id, encodeSessionSign());
        tell({ type: "encryption.session_renewed", payload: { user_id, conversation_id } });
        break;
      }
      case "key_changed": {
        const { owner_id: user_id, was_verified } = event;
        const safety_number = await this.safetyNumber(user_id);
        tell({ type: "encryption.key_changed", payload: { user_id, was_verified, safety_number } });
        break;
      }
      case "key_changed_back": {
        const { owner_id: user_id } = event;
        this.#gates.open(user_id);
        tell({ type: "encryption.key_changed_back", payload: { user_id } });
        break;
      }
      case "ledger":
        if (event.comparison === "same") break;
        if (event.comparison === "forked") {
          const payload = { user_id: event.owner_id, code: "ledger_forked" };
          tell({ type: "encryption.ledger_refused", payload });
        }
        void this.#quietly(this.#grants.checkAgain(event.owner_id));
        break;
      case "left_out": {
        const { conversation_id, owner_ids: user_ids } = event;
        tell({ type: "encryption.left_out", payload: { conversation_id, user_ids } });
        break;
      }
      case "missed": {
        const { owner_id: user_id, conversation_id, count } = event;
        tell({ type: "encryption.missed", payload: { user_id, conversation_id, count } });
        break;
      }
      default:
        assertNever(event);
    }
  }

  /** What fails now is tried again when it is needed, or at the next connect. */
  #quietly(work: Promise<unknown>): Promise<void> {
    return work.then(
      () => undefined,
      () => undefined,
    );
  }
}
