import { assertNever } from "../app/contract/assert-never.ts";
import type { ToolResponse } from "../app/contract/tool-call.ts";
import type { MessageNewFrame } from "../app/protocol/v1/frames.ts";
import type {
  AgentEvent,
  InboundMessage,
  ToolResponseEvent,
  UnreadableMessageEvent,
} from "./events.ts";
import { type HandlerErrorReport, HandlerList } from "./handler-list.ts";
import { openMessage } from "./open-message.ts";
import type { PendingCalls } from "./pending-calls.ts";

export type MessageHandler = (message: InboundMessage) => unknown;
export type EventHandler = (event: AgentEvent) => unknown;

/** Takes what arrives to whoever waits for it: a pending call, message or event handlers. */
export class MessageDelivery {
  readonly #messages: HandlerList<[InboundMessage]>;
  readonly #events: HandlerList<[AgentEvent]>;
  readonly #pending: PendingCalls;
  /** Messages from before the first handler; without this a backlog could outrun the program. */
  #held: (() => void)[] = [];

  constructor(pending: PendingCalls, report: HandlerErrorReport) {
    this.#pending = pending;
    this.#messages = new HandlerList(report);
    this.#events = new HandlerList(report);
  }

  addMessageHandler(handler: MessageHandler, signal?: AbortSignal): void {
    this.#messages.add(handler, signal);
    if (this.#held.length > 0) queueMicrotask(() => this.#release());
  }

  addEventHandler(handler: EventHandler, signal?: AbortSignal): void {
    this.#events.add(handler, signal);
  }

  /** @returns settles when the application is done; `undefined` when it is done already */
  deliver(frame: MessageNewFrame): Promise<unknown> | undefined {
    const opened = openMessage(frame);
    switch (opened.kind) {
      case "response":
        this.#pending.answer(frame.conversation_id, opened.response);
        return this.emit(responseEvent(frame.conversation_id, opened.response));
      case "unreadable_response":
        this.#pending.answerUnreadably(frame.conversation_id, opened.callId);
        return this.emit(unreadableEvent(frame, "response_unreadable"));
      case "unreadable":
        return this.emit(unreadableEvent(frame, opened.code));
      case "message":
        return this.#hand(opened.message);
      default:
        return assertNever(opened);
    }
  }

  emit(event: AgentEvent): Promise<unknown> | undefined {
    return this.#events.call(event);
  }

  clear(): void {
    this.#held = [];
    this.#messages.clear();
    this.#events.clear();
  }

  #hand(message: InboundMessage): Promise<unknown> | undefined {
    if (!this.#messages.isEmpty && this.#held.length === 0) return this.#messages.call(message);
    return new Promise((resolve) => {
      this.#held.push(() => resolve(this.#messages.call(message)));
    });
  }

  #release(): void {
    if (this.#messages.isEmpty) return;
    const held = this.#held;
    this.#held = [];
    for (const hand of held) hand();
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

function unreadableEvent(
  { message_id, conversation_id }: MessageNewFrame,
  code: UnreadableMessageEvent["payload"]["code"],
): UnreadableMessageEvent {
  return { type: "message.unreadable", payload: { message_id, conversation_id, code } };
}
