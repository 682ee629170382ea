import { assertNever } from "../../app/contract/assert-never.ts";
import { Connection, type LinkClock } from "../../app/protocol/link/connection.ts";
import { Inbox } from "../../app/protocol/link/inbox.ts";
import type { Delivery } from "../../app/protocol/link/outbox.ts";
import { SealedOutbox, type Sealer } from "../../app/protocol/link/sealed-outbox.ts";
import {
  ARTIFACT_FETCH_SUBTYPE,
  type ArtifactFetch,
  encodeArtifactFetch,
} from "../../app/protocol/v1/artifact-messages.ts";
import type { FrameSocket } from "../../app/protocol/v1/frame-socket.ts";
import type {
  GroupUpdatedFrame,
  ManifestChangedFrame,
  MessageNewFrame,
  MessageReadRelayFrame,
  PairingRequestedFrame,
  ReauthRequiredFrame,
  RelationFrame,
  ServerFrame,
  TypingRelayFrame,
} from "../../app/protocol/v1/frames.ts";
import {
  ENCRYPTION_SESSION_SUBTYPE,
  encodeSessionSign,
  type MessageSealing,
  messageKind,
  sealingError,
} from "../../app/protocol/v1/message-sealing.ts";
import { ArrivedMessages, type MessagePorts } from "./arrived-messages.ts";
import { IncomingStreams, type StreamListener } from "./incoming-streams.ts";

/** What the hub tells the person besides messages. */
export interface HubEvents {
  connected(isConnected: boolean): void;
  presence(agentId: string, online: boolean): void;
  pairingRequested(payload: PairingRequestedFrame["payload"]): void;
  pairingClosed(pairingId: string): void;
  relation(frame: RelationFrame): void;
  /** True once it is durable: only then may the hub forget it. */
  reauthRequired(payload: ReauthRequiredFrame["payload"]): Promise<boolean>;
  manifestChanged(payload: ManifestChangedFrame["payload"]): void;
  readonly stream: StreamListener;
  typing(frame: TypingRelayFrame): void;
  groupUpdated(payload: GroupUpdatedFrame["payload"]): void;
  messageRead(frame: MessageReadRelayFrame): void;
  /** Somebody in a shared conversation has published a different card. */
  keysChanged(ownerId: string): void;
  prekeysLow(): void;
  /** An envelope from or to this agent was refused; `code` as in docs/encryption.md, "Refusals". */
  envelopeRefused(agentId: string, code: string): void;
}

/** A message of the person's own. */
export interface OwnMessage extends Pick<MessageNewFrame, "content_type" | "msg_subtype"> {
  readonly conversation_id: string;
  readonly client_message_id: string;
  readonly payload: Uint8Array;
}

export interface HubChannelPorts
  extends Pick<MessagePorts, "turn" | "keysKnown" | "handle" | "giveUp" | "keep"> {
  /** Opens a new connection to the hub; if it throws, it is tried again later. */
  open(): FrameSocket;
  accessToken(): Promise<string>;
  readonly sealing: Pick<MessageSealing, "seal" | "open" | "openStream">;
  /** Everybody else in a conversation. */
  recipients(conversationId: string): Promise<readonly string[]>;
  readonly clock: LinkClock;
  newMessageId(): string;
  readonly events: HubEvents;
}

/** Receives calls and messages over the hub, and sends answers and messages. */
export class HubChannel {
  readonly #ports: HubChannelPorts;
  readonly #connection: Connection;
  readonly #outbox: SealedOutbox;
  readonly #inbox: Inbox;
  readonly #messages: ArrivedMessages;
  readonly #streams: IncomingStreams;

  constructor(ports: HubChannelPorts) {
    this.#ports = ports;
    this.#messages = new ArrivedMessages({
      ...ports,
      refused: (agentId, code) => ports.events.envelopeRefused(agentId, code),
      say: (to, subtype, plaintext, callId, mayLeave) =>
        this.#say(to, subtype, plaintext, callId, mayLeave),
    });
    this.#streams = new IncomingStreams(ports.sealing, ports.events.stream);
    this.#connection = new Connection({
      open: () => ports.open(),
      authFrame: async () => ({ type: "auth", token: await ports.accessToken() }),
      // Tokens are valid for five minutes; the next connection needs a fresh one.
      refused: () => null,
      clock: ports.clock,
      onFrame: (frame) => this.#receive(frame),
      onStatus: (status) => {
        if (status === "connected") this.#outbox.resendAll();
        else this.#streams.forget();
        ports.events.connected(status === "connected");
      },
    });
    this.#outbox = new SealedOutbox(
      sealer(ports),
      (text) => this.#connection.send(text),
      ports.clock.after.bind(ports.clock),
    );
    this.#inbox = new Inbox({
      deliver: (frame) => this.#messages.deliver(frame),
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
    this.#messages.close();
    this.#outbox.close();
    this.#connection.close();
  }

  /** Sends a message, again after each reconnect, until the hub has answered. */
  post({ client_message_id, payload, ...message }: OwnMessage, delivery: Delivery): void {
    this.#outbox.seal(
      client_message_id,
      { ...message, plaintext: payload, call_id: null },
      delivery,
    );
  }

  /** The person has read the conversation up to this number. Lost without a connection. */
  markRead(conversation_id: string, seq: number): void {
    this.#connection.send(JSON.stringify({ type: "message.read", conversation_id, seq }));
  }

  /** Whether this agent's history is full. Lost without a connection. */
  tellFull(agent_id: string, full: boolean): void {
    this.#connection.send(JSON.stringify({ type: "history.full", agent_id, full }));
  }

  /** Connects to where the person's hub is now. */
  renew(): void {
    this.#connection.renew();
  }

  /** Asks for an artifact of which changes are missing. As `#say`. */
  askArtifact(conversation_id: string, fetch: ArtifactFetch): Promise<boolean> {
    const about = { conversation_id, sender_id: fetch.ref_agent };
    return this.#say(about, ARTIFACT_FETCH_SUBTYPE, encodeArtifactFetch(fetch), null);
  }

  /** The person has accepted this agent's key: handles the messages that waited for it. */
  release(agentId: string): void {
    this.#messages.release(agentId);
  }

  /** The other end lost its session and must learn that there is a new one. */
  async signSession(conversationId: string, agentId: string): Promise<void> {
    const about = { conversation_id: conversationId, sender_id: agentId };
    await this.#say(about, ENCRYPTION_SESSION_SUBTYPE, encodeSessionSign(), null);
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
        void this.#reauthRequired(frame.payload);
        break;
      case "agent.manifest_changed":
        events.manifestChanged(frame.payload);
        break;
      case "group.updated":
        events.groupUpdated(frame.payload);
        break;
      case "message.read":
        events.messageRead(frame);
        break;
      case "stream.start":
      case "stream.delta":
      case "stream.done":
      case "stream.abort":
      case "stream.error":
        this.#streams.take(frame);
        break;
      case "typing.start":
      case "typing.stop":
        events.typing(frame);
        break;
      case "keys.changed":
        events.keysChanged(frame.owner_id);
        break;
      case "prekeys.low":
        events.prekeysLow();
        break;
      // Handled by the connection, or meant for agents.
      case "auth.ok":
      case "auth.error":
      case "ping":
      case "frame.error":
      case "agent.capability_changed":
        break;
      default:
        assertNever(frame);
    }
  }

  /** No receipt while it could still be lost: the hub repeats it at the next connect. */
  async #reauthRequired(notice: ReauthRequiredFrame["payload"]): Promise<void> {
    if (!(await this.#ports.events.reauthRequired(notice))) return;
    const { notice_id } = notice;
    this.#connection.send(JSON.stringify({ type: "notice.received", notice_id }));
  }

  /** True when the hub has the message or will never accept it; false when it cannot be sealed or stored now. */
  #say(
    { conversation_id, sender_id }: Pick<MessageNewFrame, "conversation_id" | "sender_id">,
    msg_subtype: string,
    plaintext: Uint8Array,
    call_id: string | null,
    mayLeave?: Promise<boolean>,
  ): Promise<boolean> {
    const { newMessageId, events } = this.#ports;
    const content = { content_type: "artifact", msg_subtype, plaintext, call_id } as const;
    const message = { conversation_id, ...content };
    return new Promise((resolve) => {
      const refused = (code: string) => {
        if (!UNSEALED.includes(code)) return resolve(!UNSTORED.includes(code));
        events.envelopeRefused(sender_id, code);
        // Without known keys nobody can ever read it; with a changed key the next attempt waits.
        resolve(code === "keys_missing");
      };
      const delivery = { acked: () => resolve(true), refused };
      this.#outbox.seal(newMessageId(), message, delivery, mayLeave);
    });
  }
}

const sealer = ({
  recipients,
  sealing,
}: Pick<HubChannelPorts, "recipients" | "sealing">): Sealer => ({
  async prepare({ conversation_id, plaintext, call_id, ...frame }) {
    const recipient_ids = await recipients(conversation_id);
    const about = { conversation_id, recipient_ids, kind: messageKind(frame), call_id };
    return () => sealing.seal(plaintext, about);
  },
  codeOf: (error) => (sealingError.is(error) ? error.code : "internal_error"),
});

/** The hub has no room for it now, on its disk or among what waits for the agent: it is tried again. */
const UNSTORED: readonly string[] = ["INTERNAL", "RECIPIENT_QUEUE_FULL"];

/** Why an answer could not be sealed. */
const UNSEALED: readonly string[] = [
  "keys_missing",
  "key_changed",
  "storage_failed",
  "internal_error",
];
