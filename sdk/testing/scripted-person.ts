import type { Refusal } from "../../app/contract/codes.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import type { ToolCall } from "../../app/contract/tool-call.ts";
import { plainEnvelope } from "../../app/protocol/v1/envelope.ts";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";
import type {
  ClientFrame,
  MessageNewFrame,
  PairingRequestedFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import {
  decodeToolCall,
  encodeToolResponse,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";

/** What a real hub offers the person's client. */
export interface PersonsEntrance {
  readonly url: string;
  readonly userId: string;
  issueAccessToken(): Promise<string>;
  connectHuman(): FrameSocket;
}

export type Decision = { readonly status: "ok"; readonly result: JsonValue } | Refusal;

/** A person's client on a real hub that accepts every agent and answers calls from a script. */
export class ScriptedPerson {
  readonly calls: ToolCall[] = [];
  readonly texts: string[] = [];
  readonly closedPairings: string[] = [];
  /** Who has read how far, in the order it was told. */
  readonly marks: (readonly [userId: string, seq: number])[] = [];
  /** Every text is answered with one. */
  answersTexts = false;
  readonly #hub: PersonsEntrance;
  readonly #decide: (call: ToolCall) => Decision;
  readonly #answersPairings: boolean;
  #socket: FrameSocket | undefined;
  #sent = 0;

  constructor(
    hub: PersonsEntrance,
    decide: (call: ToolCall) => Decision,
    answersPairings: boolean = true,
  ) {
    this.#hub = hub;
    this.#decide = decide;
    this.#answersPairings = answersPairings;
  }

  async arrive(): Promise<void> {
    const token = await this.#hub.issueAccessToken();
    this.#socket = this.#hub.connectHuman();
    this.#socket.onFrame((text) => this.#hear(JSON.parse(text)));
    this.#socket.send(JSON.stringify({ type: "auth", token }));
  }

  /** The person writes to the agent. */
  say(conversation_id: string, text: string): void {
    this.#sent += 1;
    const bytes = new TextEncoder().encode(JSON.stringify({ type: "text", text }));
    const context = { conversation_id, sender_id: this.#hub.userId };
    this.#send({
      type: "message.send",
      client_message_id: `said-${this.#sent}`,
      conversation_id,
      content_type: "text",
      encrypted_payload: plainEnvelope.seal(bytes, context),
    });
  }

  #hear(frame: ServerFrame): void {
    if (frame.type === "pairing.requested" && this.#answersPairings) void this.#accept(frame);
    if (frame.type === "pairing.closed") this.closedPairings.push(frame.payload.outcome);
    if (frame.type === "message.read") this.marks.push([frame.user_id, frame.seq]);
    if (frame.type === "message.new") this.#read(frame);
  }

  async #accept({ payload }: PairingRequestedFrame): Promise<void> {
    const manifest = payload.capability_manifest as { permission_scopes: { id: string }[] };
    const granted_scopes = manifest.permission_scopes.map(({ id }) => id);
    await fetch(`${this.#hub.url}/pairings/${payload.pairing_id}/answer`, {
      method: "POST",
      headers: {
        authorization: `Bearer ${await this.#hub.issueAccessToken()}`,
        "content-type": "application/json",
      },
      body: JSON.stringify({ accept: true, granted_scopes }),
    });
  }

  #read(frame: MessageNewFrame): void {
    const { conversation_id, conversation_seq, sender_id } = frame;
    const bytes = plainEnvelope.open(frame.encrypted_payload, { conversation_id, sender_id });
    if (frame.msg_subtype === TOOL_CALL_SUBTYPE) this.#answer(frame, bytes);
    else if (frame.content_type === "text") {
      this.texts.push(JSON.parse(new TextDecoder().decode(bytes)).text);
      if (this.answersTexts) this.say(conversation_id, "Go on.");
    }
    this.#send({ type: "message.received", conversation_id, conversation_seq });
  }

  #answer({ message_id, conversation_id }: MessageNewFrame, bytes: Uint8Array): void {
    const decoded = decodeToolCall(bytes, message_id);
    if (decoded.kind === "malformed") throw new Error(decoded.malformed.refusal.reason);
    this.calls.push(decoded.call);
    this.#sent += 1;
    const { call_id } = decoded.call;
    const response = encodeToolResponse({ call_id, ...this.#decide(decoded.call) });
    const context = { conversation_id, sender_id: this.#hub.userId };
    this.#send({
      type: "message.send",
      client_message_id: `answer-${message_id}-${this.#sent}`,
      conversation_id,
      content_type: "artifact",
      msg_subtype: TOOL_RESPONSE_SUBTYPE,
      encrypted_payload: plainEnvelope.seal(response, context),
    });
  }

  #send(frame: ClientFrame): void {
    this.#socket?.send(JSON.stringify(frame));
  }
}
