import { assertNever } from "../../app/contract/assert-never.ts";
import type { ClientFrame, MessageSendFrame } from "../../app/protocol/v1/frames.ts";
import type { Conversations } from "../conversations/conversations.ts";
import type { HubStorage } from "../hub-storage.ts";
import type { FullHistories } from "../limits/full-histories.ts";
import type { Connection } from "../lines/connections.ts";
import type { Messages } from "../messages/messages.ts";
import { errorBody, Refusal } from "../refusal.ts";

export interface FrameParts {
  readonly storage: Pick<HubStorage, "received" | "noticeReceived">;
  readonly messages: Messages;
  readonly conversations: Conversations;
  readonly fullHistories: FullHistories;
}

/** What each frame of an authenticated connection does. */
export async function routeFrame(
  { storage, messages, conversations, fullHistories }: FrameParts,
  connection: Connection,
  frame: ClientFrame,
): Promise<void> {
  const { subject } = connection;
  switch (frame.type) {
    case "message.send":
      return answerSend(messages, connection, frame);
    case "message.received":
      // What cannot be stored here is sent again.
      return storage
        .received(subject.id, frame.conversation_id, frame.conversation_seq)
        .catch(() => undefined);
    case "message.read": {
      const { conversation_id, seq } = frame;
      // A refused read mark is not reported.
      await conversations
        .markRead(subject, conversation_id, seq, connection)
        .catch(() => undefined);
      return;
    }
    case "notice.received":
      if (subject.type !== "human") return;
      return storage.noticeReceived(subject.id, frame.notice_id).catch(() => undefined);
    case "history.full":
      if (subject.type === "human") fullHistories.set(subject.id, frame.agent_id, frame.full);
      return;
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
      return messages.relayStream(subject, frame);
    case "typing.start":
    case "typing.stop":
      return messages.relayTyping(subject, frame);
    case "pong":
      return;
    default:
      assertNever(frame);
  }
}

async function answerSend(messages: Messages, connection: Connection, frame: MessageSendFrame) {
  const { client_message_id } = frame;
  const answer = await messages.send(connection.subject, frame).then(
    (receipt) => ({ type: "message.ack", client_message_id, ...receipt }) as const,
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      const { code, params } = error;
      const { retry_after_ms } = params;
      if (typeof retry_after_ms === "number") connection.session.holdBack(retry_after_ms);
      return {
        type: "message.refused",
        client_message_id,
        error: errorBody(code, params),
      } as const;
    },
  );
  connection.send(JSON.stringify(answer));
}
