import { assertNever } from "../app/contract/assert-never.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { ArtifactFetch, ArtifactResponse } from "../app/protocol/v1/artifact-messages.ts";
import type {
  GroupUpdatedFrame,
  MessageNewFrame,
  MessageReadRelayFrame,
  StreamErrorFrame,
} from "../app/protocol/v1/frames.ts";
import { ENCRYPTION_SESSION_SUBTYPE, SealingError } from "../app/protocol/v1/message-sealing.ts";
import type { Mail } from "./encryption/mail.ts";
import type { OpenedMail } from "./encryption/opened-mail.ts";
import type {
  AgentEvent,
  ArtifactResponseEvent,
  DeliveredMessage,
  InboundMessage,
  ToolResponseEvent,
  UnreadableMessageEvent,
} from "./events.ts";
import { GroupBook } from "./group-book.ts";
import type { HandlerErrorReport } from "./handler-list.ts";
import { readMessage } from "./open-message.ts";
import { PatientHandlers } from "./patient-handlers.ts";
import type { PendingCalls } from "./pending-calls.ts";

/** Delivers what arrives to the pending call, the message handlers or the event handlers. */
export class MessageDelivery {
  readonly messages: PatientHandlers<DeliveredMessage>;
  readonly events: PatientHandlers<AgentEvent>;
  readonly #pending: PendingCalls;
  readonly #mail: () => Mail;
  readonly #groups: GroupBook;
  readonly #agentId: string;
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
  ) {
    this.#agentId = agentId;
    this.#sendWhole = sendWhole;
    this.#mail = mail;
    this.#groups = new GroupBook(agentId);
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
    const code = error instanceof SealingError ? error.code : "storage_failed";
    if (code === "replayed") return;
    if (code === "storage_failed" || code === "key_changed") await new Promise(() => {});
    await this.events.callNow(unreadableEvent(frame, "envelope_unreadable", code));
  }

  async #read(frame: MessageNewFrame, { plaintext, callId }: OpenedMail): Promise<unknown> {
    if (frame.msg_subtype === ENCRYPTION_SESSION_SUBTYPE) return undefined;
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
