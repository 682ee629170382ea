import { assertNever } from "../../app/contract/assert-never.ts";
import type { ToolResponse } from "../../app/contract/tool-call.ts";
import type { Arrival } from "../../app/execution/arrival.ts";
import { Connection, type LinkClock } from "../../app/protocol/link/connection.ts";
import { Inbox } from "../../app/protocol/link/inbox.ts";
import { Outbox } from "../../app/protocol/link/outbox.ts";
import type { Envelope } from "../../app/protocol/v1/envelope.ts";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";
import type {
  ManifestChangedFrame,
  MessageNewFrame,
  PairingRequestedFrame,
  ReauthRequiredFrame,
  RelationFrame,
  ServerFrame,
} from "../../app/protocol/v1/frames.ts";
import { decodeToolCancel, TOOL_CANCEL_SUBTYPE } from "../../app/protocol/v1/tool-cancel.ts";
import {
  decodeToolCall,
  encodeToolResponse,
  TOOL_CALL_SUBTYPE,
  TOOL_RESPONSE_SUBTYPE,
} from "../../app/protocol/v1/tool-messages.ts";

/** What the hub says to the person besides messages. */
export interface HubEvents {
  connected(isConnected: boolean): void;
  presence(agentId: string, online: boolean): void;
  pairingRequested(payload: PairingRequestedFrame["payload"]): void;
  pairingClosed(pairingId: string): void;
  relation(frame: RelationFrame): void;
  /** True once it holds for good: only then the hub may forget it. */
  reauthRequired(payload: ReauthRequiredFrame["payload"]): Promise<boolean>;
  manifestChanged(payload: ManifestChangedFrame["payload"]): void;
}

export interface HubChannelPorts {
  /** A fresh line to the hub; may throw, and is then tried again later. */
  open(): FrameSocket;
  accessToken(): Promise<string>;
  readonly userId: string;
  readonly envelope: Envelope;
  readonly clock: LinkClock;
  newMessageId(): string;
  /** The chain. Null: not answered now; the message stays with the hub and comes again. */
  handle(arrival: Arrival): Promise<ToolResponse | null>;
  /** The agent gave its call up. False: it comes again, and its cancellation must come behind it. */
  giveUp(agentId: string, callId: string): Promise<boolean>;
  readonly events: HubEvents;
}

/** How calls arrive from agents over the hub, and how their answers go back. */
export class HubChannel {
  readonly #ports: HubChannelPorts;
  readonly #connection: Connection;
  readonly #outbox: Outbox;
  readonly #inbox: Inbox;

  constructor(ports: HubChannelPorts) {
    this.#ports = ports;
    this.#connection = new Connection({
      open: () => ports.open(),
      authFrame: async () => ({ type: "auth", token: await ports.accessToken() }),
      // Tokens live five minutes; the next line is opened with a fresh one.
      refused: () => null,
      clock: ports.clock,
      onFrame: (frame) => this.#receive(frame),
      onStatus: (status) => {
        if (status === "connected") this.#outbox.resendAll();
        ports.events.connected(status === "connected");
      },
    });
    this.#outbox = new Outbox((text) => this.#connection.send(text));
    this.#inbox = new Inbox({
      deliver: (frame) => this.#deliver(frame),
      received: (conversation_id, conversation_seq) =>
        this.#connection.send(
          JSON.stringify({ type: "message.received", conversation_id, conversation_seq }),
        ),
    });
  }

  open(): void {
    this.#connection.open();
  }

  close(): void {
    this.#connection.close();
  }

  #receive(frame: ServerFrame): void {
    const { events } = this.#ports;
    switch (frame.type) {
      case "message.new":
        this.#inbox.accept(frame);
        break;
      case "message.ack":
        this.#inbox.note(frame.conversation_id, frame.conversation_seq);
        this.#outbox.acked(frame.client_message_id, frame);
        break;
      case "message.refused":
        this.#outbox.refused(frame.client_message_id, frame.error.code, frame.error.params);
        break;
      case "agent.presence":
        events.presence(frame.agent_id, frame.online);
        break;
      case "pairing.requested":
        events.pairingRequested(frame.payload);
        break;
      case "pairing.closed":
        events.pairingClosed(frame.payload.pairing_id);
        break;
      case "relation.established":
      case "relation.updated":
      case "relation.suspended":
      case "relation.restored":
      case "relation.revoked":
        events.relation(frame);
        break;
      case "h2a.reauth_required":
        void this.#heed(frame.payload);
        break;
      case "agent.manifest_changed":
        events.manifestChanged(frame.payload);
        break;
      // The connection's own, and what no screen shows yet.
      case "auth.ok":
      case "auth.error":
      case "ping":
      case "keys.changed":
      case "prekeys.low":
      case "frame.error":
      case "agent.capability_changed":
      case "group.updated":
      case "message.read":
      case "stream.start":
      case "stream.delta":
      case "stream.done":
      case "stream.abort":
      case "stream.error":
      case "typing.start":
      case "typing.stop":
        break;
      default:
        assertNever(frame);
    }
  }

  /** Not reported while it could still be lost: the hub sends it again at the next connect. */
  async #heed(notice: ReauthRequiredFrame["payload"]): Promise<void> {
    if (!(await this.#ports.events.reauthRequired(notice))) return;
    const { notice_id } = notice;
    this.#connection.send(JSON.stringify({ type: "notice.received", notice_id }));
  }

  /**
   * Settles when the message is dealt with for good: a call's answer is with the hub, a call given
   * up has ended. Any other message has no reader in this version; it never settles, so the hub
   * keeps it for one that has.
   */
  #deliver(frame: MessageNewFrame): Promise<unknown> {
    const subtype = frame.sender_type === "agent" ? frame.msg_subtype : undefined;
    if (subtype === TOOL_CALL_SUBTYPE) return this.#answer(frame);
    return subtype === TOOL_CANCEL_SUBTYPE ? this.#giveUp(frame) : new Promise(() => {});
  }

  async #giveUp(frame: MessageNewFrame): Promise<void> {
    const callId = decodeToolCancel(this.#open(frame));
    if (callId === undefined) return;
    const isOver = await this.#ports.giveUp(frame.sender_id, callId);
    await (isOver ? undefined : new Promise(() => {}));
  }

  async #answer(frame: MessageNewFrame): Promise<void> {
    const { conversation_id, conversation_type, sender_id, message_id } = frame;
    const response = await this.#ports.handle({
      decoded: decodeToolCall(this.#open(frame), message_id),
      agent_id: sender_id,
      conversation_id,
      conversation_type,
      transport: "hub",
    });
    await (response === null ? new Promise(() => {}) : this.#send(conversation_id, response));
  }

  /** An envelope that does not open is refused by its own bytes, like any unreadable payload. */
  #open({ encrypted_payload, conversation_id, sender_id }: MessageNewFrame): Uint8Array {
    try {
      return this.#ports.envelope.open(encrypted_payload, { conversation_id, sender_id });
    } catch {
      return new TextEncoder().encode(encrypted_payload);
    }
  }

  /** Resolves when the hub has the response, or will never take it. */
  #send(conversation_id: string, response: ToolResponse): Promise<void> {
    const { envelope, userId, newMessageId } = this.#ports;
    const context = { conversation_id, sender_id: userId };
    return new Promise((resolve) => {
      this.#outbox.post(
        newMessageId(),
        {
          conversation_id,
          content_type: "artifact",
          msg_subtype: TOOL_RESPONSE_SUBTYPE,
          encrypted_payload: envelope.seal(encodeToolResponse(response), context),
        },
        { acked: () => resolve(), refused: () => resolve() },
      );
    });
  }
}
