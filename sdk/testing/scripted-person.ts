import type { Refusal } from "../../app/contract/codes.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { ToolCall } from "../../app/contract/tool-call.ts";
import {
  type ArtifactResponse,
  decodeSentArtifact,
  encodeArtifactResponse,
  type SentArtifact,
} from "../../app/protocol/v1/artifact-messages.ts";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";
import type {
  MessageNewFrame,
  PairingRequestedFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { encodeHubMove, HUB_MOVED_SUBTYPE, type HubMove } from "../../app/protocol/v1/hub-move.ts";
import {
  ENCRYPTION_SESSION_SUBTYPE,
  encodeSessionSign,
  type OpenedStream,
} from "../../app/protocol/v1/message-sealing.ts";
import type { RelationView } from "../../app/protocol/v1/rest.ts";
import {
  decodeToolCall,
  encodeToolResponse,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";
import {
  encodeVoice,
  readVoice,
  VOICE_SUBTYPE,
  type Voice,
} from "../../app/protocol/v1/voice-messages.ts";
import { type Payload, PersonsKeys, type PersonsPlace } from "./persons-keys.ts";

/** What a real hub offers the person's client. */
export interface PersonsEntrance extends PersonsPlace {
  connectHuman(): FrameSocket;
}

export type Decision = { readonly status: "ok"; readonly result: JsonValue } | Refusal;

/** For `expect.poll`, on a machine that has other things to do. */
export const PATIENT = { timeout: 15_000 };

/** A person's client on a real hub that accepts every agent and answers calls from a script. */
export class ScriptedPerson {
  readonly calls: ToolCall[] = [];
  readonly texts: string[] = [];
  /** The streamed parts that were shown. */
  readonly shown: string[] = [];
  /** The codes of what did not open. */
  readonly refused: string[] = [];
  /** Everything the hub delivered, as it came. */
  readonly wires: string[] = [];
  readonly closedPairings: string[] = [];
  /** Who has read how far, in the order reported. */
  readonly marks: (readonly [userId: string, seq: number])[] = [];
  readonly artifacts: SentArtifact[] = [];
  readonly voices: Voice[] = [];
  /** Every artifact is answered with this. */
  answersArtifacts: Pick<ArtifactResponse, "ref_action" | "values"> | undefined;
  /** Every text is answered with one. */
  answersTexts = false;
  readonly keys: PersonsKeys;
  readonly #hub: PersonsEntrance;
  readonly #decide: (call: ToolCall) => Decision | null;
  readonly #answersPairings: boolean;
  #socket: FrameSocket | undefined;
  #stream: Promise<OpenedStream> | undefined;
  #line: Promise<void> = Promise.resolve();

  /** @param decide null: the call is left unanswered */
  constructor(
    hub: PersonsEntrance,
    decide: (call: ToolCall) => Decision | null,
    answersPairings: boolean = true,
  ) {
    this.#hub = hub;
    this.#decide = decide;
    this.#answersPairings = answersPairings;
    this.keys = new PersonsKeys(hub);
  }

  /** The same person somewhere else: with these keys, and what they know. */
  with({ records, identity }: PersonsKeys): this {
    this.keys.records = records;
    this.keys.identity = identity;
    return this;
  }

  /** Connects, or reconnects with what the keys' records have. */
  async arrive(): Promise<void> {
    this.#socket?.close();
    await this.keys.begin((conversation_id) => {
      const sign = { content_type: "artifact", msg_subtype: ENCRYPTION_SESSION_SUBTYPE } as const;
      void this.#send({ conversation_id, ...sign }, encodeSessionSign(), null);
    });
    const token = await this.#hub.issueAccessToken();
    this.#socket = this.#hub.connectHuman();
    // One after the other: a new agent is known before any of its messages is opened.
    this.#socket.onFrame((text) => {
      this.#line = this.#line.then(() => this.#hear(JSON.parse(text)));
    });
    this.#socket.send(JSON.stringify({ type: "auth", token }));
  }

  /** The person writes to everybody in the conversation. */
  say(conversation_id: string, text: string): Promise<void> {
    const bytes = new TextEncoder().encode(JSON.stringify({ type: "text", text }));
    return this.#send({ conversation_id, content_type: "text" }, bytes, null);
  }

  /** The person's client says that they are at another hub. */
  moves(conversation_id: string, move: HubMove): Promise<void> {
    const kind = { content_type: "artifact", msg_subtype: HUB_MOVED_SUBTYPE } as const;
    return this.#send({ conversation_id, ...kind }, encodeHubMove(move), null);
  }

  /** The same, in a voice message. */
  speak(conversation_id: string, voice: Voice): Promise<void> {
    const kind = { content_type: "artifact", msg_subtype: VOICE_SUBTYPE } as const;
    return this.#send({ conversation_id, ...kind }, encodeVoice(voice), null);
  }

  /** The person removes the agent that they talk with there. */
  async removeAgent(conversation_id: string): Promise<void> {
    const relations: RelationView[] = await this.keys.rest("GET", "/h2a/relations");
    const relation = relations.find((each) => each.conversation_id === conversation_id);
    await this.keys.rest("DELETE", `/h2a/relations/${relation?.relation_id}`);
  }

  async #hear(frame: ServerFrame): Promise<void> {
    switch (frame.type) {
      case "pairing.requested":
        if (this.#answersPairings) await this.#accept(frame);
        break;
      case "pairing.closed":
        this.closedPairings.push(frame.payload.outcome);
        break;
      case "message.read":
        this.marks.push([frame.user_id, frame.seq]);
        break;
      case "message.new":
        await this.#read(frame);
        break;
      case "stream.start":
        this.#stream = this.keys.mail.openStream(
          frame.encrypted_payload ?? "",
          frame.stream_id,
          frame,
        );
        break;
      case "stream.delta":
        this.shown.push((await (await this.#stream)?.delta(frame.encrypted_payload ?? "")) ?? "");
        break;
      case "stream.done":
        await (await this.#stream)?.done(frame.encrypted_payload ?? "");
        break;
      default:
    }
  }

  async #accept({ payload }: PairingRequestedFrame): Promise<void> {
    const manifest = payload.capability_manifest as { permission_scopes: { id: string }[] };
    const scopes = manifest.permission_scopes.map(({ id }) => id);
    await this.keys.accept(payload, scopes);
  }

  async #read(frame: MessageNewFrame): Promise<void> {
    const { conversation_id, conversation_seq, encrypted_payload } = frame;
    this.wires.push(encrypted_payload);
    try {
      const { plaintext, done } = await this.keys.open(frame);
      if (frame.msg_subtype === TOOL_CALL_SUBTYPE) await this.#answer(frame, plaintext);
      else if (frame.content_type === "text") {
        this.texts.push(JSON.parse(new TextDecoder().decode(plaintext)).text);
        if (this.answersTexts) await this.say(conversation_id, "Go on.");
      } else await this.#readArtifact(frame, plaintext);
      await done();
    } catch (error) {
      this.refused.push((error as { code: string }).code);
    }
    this.#socket?.send(
      JSON.stringify({ type: "message.received", conversation_id, conversation_seq }),
    );
  }

  async #readArtifact(
    { conversation_id, sender_id }: MessageNewFrame,
    plaintext: Uint8Array,
  ): Promise<void> {
    const payload = JSON.parse(new TextDecoder().decode(plaintext));
    const voice = readVoice(payload);
    if (voice !== undefined && !("fault" in voice)) this.voices.push(voice);
    const sent = decodeSentArtifact(payload);
    if (sent === undefined) return;
    this.artifacts.push(sent);
    if (sent.kind === "update" || this.answersArtifacts === undefined) return;
    const { artifact_id: ref_artifact, revision } = sent.state;
    const about = { ref_artifact, ref_agent: sender_id, revision };
    const response = encodeArtifactResponse({ ...about, ...this.answersArtifacts });
    const kind = { content_type: "artifact", msg_subtype: TOOL_RESPONSE_SUBTYPE } as const;
    await this.#send({ conversation_id, ...kind }, response, null);
  }

  async #answer(
    { message_id, conversation_id }: MessageNewFrame,
    plaintext: Uint8Array,
  ): Promise<void> {
    const decoded = decodeToolCall(plaintext, message_id);
    if (decoded.kind === "malformed") throw new Error(decoded.malformed.refusal.reason);
    this.calls.push(decoded.call);
    const { call_id } = decoded.call;
    const decision = this.#decide(decoded.call);
    if (decision === null) return;
    const about = { content_type: "artifact", msg_subtype: TOOL_RESPONSE_SUBTYPE } as const;
    const response = encodeToolResponse({ call_id, ...decision });
    await this.#send({ conversation_id, ...about }, response, call_id);
  }

  async #send(frame: Payload, plaintext: Uint8Array, call_id: string | null): Promise<void> {
    const client_message_id = crypto.randomUUID();
    const encrypted_payload = await this.keys.seal(frame, plaintext, call_id);
    this.#socket?.send(
      JSON.stringify({ type: "message.send", client_message_id, ...frame, encrypted_payload }),
    );
  }
}
