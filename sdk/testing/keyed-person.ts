import { Correspondence } from "../../app/encryption/correspondence/correspondence.ts";
import type { KeyDirectory } from "../../app/encryption/correspondence/ports.ts";
import { createIdentity, type Identity } from "../../app/encryption/identity/identity.ts";
import { appendEntry } from "../../app/encryption/ledger/append-entry.ts";
import { MemoryRecords } from "../../app/encryption/testing/correspondents.ts";
import { fromBase64, toBase64 } from "../../app/protocol/v1/base64.ts";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";
import type {
  MessageNewFrame,
  PairingRequestedFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { messageKind, type OpenedStream } from "../../app/protocol/v1/message-sealing.ts";
import {
  decodeToolCall,
  encodeToolResponse,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";
import { nodePrimitives as crypto } from "../../crypto/node-primitives.ts";
import type { Decision, PersonsEntrance } from "./scripted-person.ts";

interface Payload {
  readonly conversation_id: string;
  readonly content_type: "text" | "artifact";
  readonly msg_subtype?: string;
}

/** A person's client with keys on a real hub: it adds every agent and answers calls from a script. */
export class KeyedPerson {
  readonly calls: string[] = [];
  readonly texts: string[] = [];
  /** What was shown while it was written. */
  readonly shown: string[] = [];
  /** The codes of what did not open. */
  readonly refused: string[] = [];
  /** Everything the hub delivered, as it came. */
  readonly wires: string[] = [];
  records = new MemoryRecords();
  identity: Identity | undefined;
  readonly #hub: PersonsEntrance;
  readonly #decide: () => Decision | null;
  #mail: Correspondence | undefined;
  #socket: FrameSocket | undefined;
  #stream: Promise<OpenedStream> | undefined;
  #sent = 0;

  /** @param decide null: the call is left unanswered */
  constructor(hub: PersonsEntrance, decide: () => Decision | null) {
    this.#hub = hub;
    this.#decide = decide;
  }

  get mail(): Correspondence {
    if (this.#mail === undefined) throw new Error("not there yet");
    return this.#mail;
  }

  /** Comes, or comes again with what its records have. */
  async arrive(): Promise<void> {
    this.#socket?.close();
    this.identity ??= await createIdentity(crypto, this.#hub.userId);
    this.#mail = await Correspondence.open({
      crypto,
      identity: this.identity,
      role: "person",
      records: this.records,
      directory: this.#directory(),
      now: () => Date.now(),
      heard: (event) => {
        if (event.kind !== "session_renewed") return;
        const sign = { content_type: "artifact", msg_subtype: "encryption_session" } as const;
        void this.#send(
          { conversation_id: event.conversation_id, ...sign },
          event.owner_id,
          new TextEncoder().encode("{}"),
          null,
        );
      },
    });
    await this.mail.replenish();
    const token = await this.#hub.issueAccessToken();
    this.#socket = this.#hub.connectHuman();
    this.#socket.onFrame((text) => void this.#hear(JSON.parse(text)));
    this.#socket.send(JSON.stringify({ type: "auth", token }));
  }

  say(conversation_id: string, agentId: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify({ type: "text", text }));
    return this.#send({ conversation_id, content_type: "text" }, agentId, bytes, null);
  }

  /** Signs a grant into the relation's ledger. */
  async grant(relationId: string, agentId: string, scopes: readonly string[]): Promise<void> {
    if (this.identity === undefined) throw new Error("not there yet");
    const head = this.mail.ledgerHead(agentId);
    const change = { kind: "grant", agentId, at: 1, manifestHash: new Uint8Array(32), scopes };
    const { bytes } = await appendEntry(crypto, this.identity, head, { ...change, kind: "grant" });
    const path = `/h2a/relations/${relationId}/ledger`;
    await this.#rest("POST", path, { index: head.length, entry: toBase64(bytes) });
    const { entries } = await this.#rest("GET", path);
    await this.mail.verifyLedger(agentId, entries.map(bytesOf));
  }

  // biome-ignore lint/suspicious/noExplicitAny: a test's own answers
  async #rest(method: string, path: string, body?: unknown): Promise<any> {
    const authorization = `Bearer ${await this.#hub.issueAccessToken()}`;
    const response = await fetch(`${this.#hub.url}${path}`, {
      method,
      headers: { authorization },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return ((await response.json()) as { data?: unknown }).data;
  }

  #directory(): KeyDirectory {
    return {
      publish: async ({ card, signedPrekey, oneTimePrekeys }) => {
        const body = {
          identity_card: toBase64(card),
          signed_prekey: toBase64(signedPrekey),
          one_time_prekeys: oneTimePrekeys.map(toBase64),
        };
        return (await this.#rest("PUT", "/keys/mine", body)).one_time_left;
      },
      left: async () => (await this.#rest("GET", "/keys/mine"))?.one_time_left ?? null,
      card: async (id) => bytesOf((await this.#rest("GET", `/keys/${id}`)).identity_card),
      bundle: async (id) => bytesOf((await this.#rest("POST", `/keys/${id}/bundle`)).bundle),
    };
  }

  async #hear(frame: ServerFrame): Promise<void> {
    if (frame.type === "pairing.requested") await this.#accept(frame);
    if (frame.type === "message.new") await this.#read(frame);
    if (frame.type === "stream.start") {
      this.#stream = this.mail.openStream(frame.encrypted_payload ?? "", frame.stream_id, frame);
    }
    const wire = "encrypted_payload" in frame ? (frame.encrypted_payload ?? "") : "";
    if (frame.type === "stream.delta")
      this.shown.push((await (await this.#stream)?.delta(wire)) ?? "");
    if (frame.type === "stream.done") await (await this.#stream)?.done(wire);
  }

  async #accept({ payload }: PairingRequestedFrame): Promise<void> {
    const manifest = payload.capability_manifest as { permission_scopes: { id: string }[] };
    const granted_scopes = manifest.permission_scopes.map(({ id }) => id);
    const answer = { accept: true, granted_scopes };
    const path = `/pairings/${payload.pairing_id}/answer`;
    const { agent_id, conversation_id } = await this.#rest("POST", path, answer);
    const card = bytesOf(payload.identity_card ?? "");
    const level = payload.encryption ?? "sealed";
    await this.mail.introduce(agent_id, card, { level, conversationId: conversation_id });
  }

  async #read(frame: MessageNewFrame): Promise<void> {
    const { conversation_id, conversation_seq, sender_id, encrypted_payload } = frame;
    this.wires.push(encrypted_payload);
    try {
      const about = { conversation_id, sender_id, kind: messageKind(frame) };
      const { plaintext, done } = await this.mail.open(encrypted_payload, about);
      if (frame.msg_subtype === TOOL_CALL_SUBTYPE) await this.#answer(frame, plaintext);
      if (frame.content_type === "text") {
        this.texts.push(JSON.parse(new TextDecoder().decode(plaintext)).text);
      }
      await done();
    } catch (error) {
      this.refused.push((error as { code: string }).code);
    }
    this.#socket?.send(
      JSON.stringify({ type: "message.received", conversation_id, conversation_seq }),
    );
  }

  async #answer(frame: MessageNewFrame, plaintext: Uint8Array): Promise<void> {
    const decoded = decodeToolCall(plaintext, frame.message_id);
    if (decoded.kind === "malformed") throw new Error("malformed");
    const { call_id } = decoded.call;
    this.calls.push(call_id);
    const decision = this.#decide();
    if (decision === null) return;
    const about = { content_type: "artifact", msg_subtype: TOOL_RESPONSE_SUBTYPE } as const;
    const { conversation_id, sender_id } = frame;
    const response = encodeToolResponse({ call_id, ...decision });
    await this.#send({ conversation_id, ...about }, sender_id, response, call_id);
  }

  async #send(
    frame: Payload,
    agentId: string,
    plaintext: Uint8Array,
    call_id: string | null,
  ): Promise<void> {
    this.#sent += 1;
    const client_message_id = `person-${this.#sent}`;
    const { conversation_id } = frame;
    const about = { conversation_id, recipient_ids: [agentId], kind: messageKind(frame), call_id };
    const encrypted_payload = await this.mail.seal(plaintext, about);
    this.#socket?.send(
      JSON.stringify({ type: "message.send", client_message_id, ...frame, encrypted_payload }),
    );
  }
}

const bytesOf = (text: string): Uint8Array => fromBase64(text) ?? new Uint8Array(0);
