import { assertNever } from "../app/contract/assert-never.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { Inbox } from "../app/protocol/link/inbox.ts";
import type { SealedOutbox } from "../app/protocol/link/sealed-outbox.ts";
import type { ArtifactFetch, ArtifactResponse } from "../app/protocol/v1/artifact-messages.ts";
import type {
  GroupUpdatedFrame,
  MessageNewFrame,
  MessageReadRelayFrame,
  ServerFrame,
  StreamErrorFrame,
} from "../app/protocol/v1/frames.ts";
import { HUB_MOVED_SUBTYPE } from "../app/protocol/v1/hub-move.ts";
import { ENCRYPTION_SESSION_SUBTYPE, sealingError } from "../app/protocol/v1/message-sealing.ts";
import type { OpenedMail } from "./encryption/encryption-events.ts";
import type { Mail } from "./encryption/keyed-mail.ts";
import type {
  AgentEvent,
  ArtifactResponseEvent,
  DeliveredMessage,
  GroupMetadata,
  InboundMessage,
  ToolResponseEvent,
  UnreadableMessageEvent,
} from "./events.ts";
import { type HandlerErrorReport, PatientHandlers } from "./handlers.ts";
import { readMessage } from "./message-codec.ts";
import type { PendingCalls } from "./tool-calls.ts";

/** Delivers what arrives to the pending call, the message handlers or the event handlers. */
export class MessageDelivery {
  readonly messages: PatientHandlers<DeliveredMessage>;
  readonly events: PatientHandlers<AgentEvent>;
  readonly #pending: PendingCalls;
  readonly #mail: () => Mail;
  readonly #groups: KnownGroups;
  readonly #agentId: string;
  readonly #follow: (frame: MessageNewFrame, notice: Uint8Array) => Promise<void>;
  readonly #sendWhole: (conversationId: string, artifactId: string) => Promise<unknown> | undefined;
  /** Ended when the hub ends the stream, by stream id. */
  readonly #streams = new Map<string, () => void>();

  /** @param sendWhole sends an artifact again; `undefined`: this process does not know it */
  constructor(
    agentId: string,
    pending: PendingCalls,
    mail: () => Mail,
    report: HandlerErrorReport,
    sendWhole: (conversationId: string, artifactId: string) => Promise<unknown> | undefined,
    follow: (frame: MessageNewFrame, notice: Uint8Array) => Promise<void>,
  ) {
    this.#follow = follow;
    this.#agentId = agentId;
    this.#sendWhole = sendWhole;
    this.#mail = mail;
    this.#groups = new KnownGroups(agentId);
    this.#pending = pending;
    this.messages = new PatientHandlers(report);
    this.events = new PatientHandlers(report);
  }

  /** Settles when the application has handled it. */
  async deliver(frame: MessageNewFrame): Promise<void> {
    let mail: OpenedMail;
    try {
      mail = await this.#mail().open(frame);
    } catch (error) {
      await this.#unopened(frame, error);
      return;
    }
    await this.#read(frame, mail);
    await dealtWith(mail);
  }

  /** What was handled before gets another receipt; what could not be stored is delivered again. */
  async #unopened(frame: MessageNewFrame, error: unknown): Promise<void> {
    const code = sealingError.is(error) ? error.code : "storage_failed";
    if (code === "replayed") return;
    if (code === "storage_failed" || code === "key_changed") await new Promise(() => {});
    await this.events.callNow(unreadableEvent(frame, "envelope_unreadable", code));
  }

  async #read(frame: MessageNewFrame, { plaintext, callId }: OpenedMail): Promise<unknown> {
    if (frame.msg_subtype === ENCRYPTION_SESSION_SUBTYPE) return undefined;
    if (frame.msg_subtype === HUB_MOVED_SUBTYPE) return this.#follow(frame, plaintext);
    const opened = readMessage(frame, plaintext, callId);
    switch (opened.kind) {
      case "response":
        this.#pending.answer(frame.conversation_id, opened.response);
        // Never held: most programs wait for their answers with `callTool` only.
        return this.events.callNow(responseEvent(frame.conversation_id, opened.response));
      case "unreadable_response":
        this.#pending.answerUnreadably(frame.conversation_id, opened.callId);
        return this.events.callNow(unreadableEvent(frame, "response_unreadable"));
      case "unreadable":
        return this.events.callNow(unreadableEvent(frame, opened.code));
      case "answer":
        if (opened.answer.ref_agent !== this.#agentId) return undefined;
        return this.events.call(answerEvent(frame.conversation_id, opened.answer));
      case "fetch":
        return this.#fetched(frame.conversation_id, opened.fetch);
      case "message":
        return this.messages.call(this.#delivered(frame, opened.message));
      default:
        return assertNever(opened);
    }
  }

  async #fetched(
    conversation_id: string,
    { ref_agent, ref_artifact, revision }: ArtifactFetch,
  ): Promise<unknown> {
    if (ref_agent !== this.#agentId) return undefined;
    const payload = { conversation_id, ref_artifact, revision };
    return (
      this.#sendWhole(conversation_id, ref_artifact) ??
      this.events.call({ type: "artifact_fetch", payload })
    );
  }

  /** @param failed called when the hub ends the stream @returns to be called when the stream has ended */
  streamOpened(streamId: string, failed: () => void): () => void {
    this.#streams.set(streamId, failed);
    return () => this.#streams.delete(streamId);
  }

  streamFailed({ type, ...payload }: StreamErrorFrame): void {
    this.#streams.get(payload.stream_id)?.();
    void this.events.callNow({ type, payload });
  }

  groupUpdated(frame: GroupUpdatedFrame): void {
    this.#groups.note(frame);
    void this.events.call(frame);
  }

  /** Not held for a first handler: there may be one for every message. */
  markRead({ type, ...payload }: MessageReadRelayFrame): void {
    void this.events.callNow({ type, payload });
  }

  clear(): void {
    this.messages.clear();
    this.events.clear();
  }

  #delivered(frame: MessageNewFrame, message: InboundMessage): DeliveredMessage {
    const { conversation_id, conversation_seq } = frame;
    const group_metadata = this.#groups.of(conversation_id);
    return {
      ...message,
      conversation_seq,
      ...(group_metadata === undefined ? {} : { group_metadata }),
    };
  }
}

/** Without a stored note there is no receipt: the message is delivered again, and recognized then. */
async function dealtWith(mail: OpenedMail): Promise<void> {
  try {
    await mail.done();
  } catch {
    await new Promise(() => {});
  }
}

function responseEvent(conversation_id: string, response: ToolResponse): ToolResponseEvent {
  return {
    type: "artifact_response",
    payload: {
      conversation_id,
      ref_artifact: response.call_id,
      ref_artifact_subtype: "tool_response",
      ...response,
    },
    artifact: { subtype: "tool_response", ...response },
  };
}

function answerEvent(
  conversation_id: string,
  { ref_agent: _, ...answer }: ArtifactResponse,
): ArtifactResponseEvent {
  return {
    type: "artifact_response",
    payload: { conversation_id, ref_artifact_subtype: "artifact", ...answer },
    artifact: { subtype: "artifact_response", ...answer },
  };
}

function unreadableEvent(
  { message_id, conversation_id }: MessageNewFrame,
  code: UnreadableMessageEvent["payload"]["code"],
  refusal: string | null = null,
): UnreadableMessageEvent {
  return { type: "message.unreadable", payload: { message_id, conversation_id, code, refusal } };
}

/** The latest state of each of the agent's groups; the hub sends it before any of their messages. */
class KnownGroups {
  readonly #agentId: string;
  readonly #groups = new Map<string, GroupMetadata>();

  constructor(agentId: string) {
    this.#agentId = agentId;
  }

  note({ payload }: GroupUpdatedFrame): void {
    const { conversation_id, change, member_ids, title, owner_id, member_count } = payload;
    const isOut =
      change === "ended" || (change === "members_removed" && member_ids.includes(this.#agentId));
    if (isOut) this.#groups.delete(conversation_id);
    else
      this.#groups.set(conversation_id, {
        group_id: conversation_id,
        title,
        owner_id,
        member_count,
      });
  }

  of(conversationId: string): GroupMetadata | undefined {
    return this.#groups.get(conversationId);
  }
}

interface FrameReceivers {
  readonly inbox: Inbox;
  readonly outbox: SealedOutbox;
  readonly mail: () => Mail;
  readonly delivery: MessageDelivery;
}

/** Passes a frame from the hub to the part of the agent that handles it. */
export function routeFrame(
  { inbox, outbox, delivery, mail }: FrameReceivers,
  frame: ServerFrame,
): void {
  mail().heard(frame);
  switch (frame.type) {
    case "message.new":
      inbox.accept(frame);
      break;
    case "message.ack":
      inbox.note(frame.conversation_id, frame.conversation_seq);
      outbox.acked(frame.client_message_id, {
        message_id: frame.message_id,
        conversation_seq: frame.conversation_seq,
      });
      break;
    case "message.refused":
      outbox.refused(frame.client_message_id, frame.error.code, frame.error.params);
      break;
    case "frame.error":
      void delivery.events.call({ type: frame.type, payload: frame.error });
      break;
    case "relation.established":
    case "relation.updated":
    case "relation.suspended":
    case "relation.restored":
    case "relation.revoked":
    case "h2a.reauth_required":
    case "agent.manifest_changed":
    case "agent.capability_changed":
      void delivery.events.call(frame);
      break;
    case "group.updated":
      delivery.groupUpdated(frame);
      break;
    case "message.read":
      delivery.markRead(frame);
      break;
    case "stream.error":
      delivery.streamFailed(frame);
      break;
    // Handled by the mail.
    case "keys.changed":
    case "prekeys.low":
    // Handled by the connection, or sent to a person's client only.
    case "auth.ok":
    case "auth.error":
    case "ping":
    case "agent.presence":
    case "pairing.requested":
    case "pairing.closed":
    // An agent does not show what others stream; the whole text follows as a message.
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
    case "typing.start":
    case "typing.stop":
      break;
    default:
      assertNever(frame);
  }
}
