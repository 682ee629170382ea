import { assertNever } from "../../app/contract/assert-never.ts";
import type {
  ClientFrame,
  MessageSendFrame,
  TypingFrame,
  TypingRelayFrame,
} from "../../app/protocol/v1/frames.ts";
import { markRead } from "../conversations/read-marks.ts";
import type { HubParts } from "../hub-parts.ts";
import { relayStream } from "../messages/relay-stream.ts";
import { conversationOf, othersIn, sendMessage } from "../messages/send-message.ts";
import { errorBody } from "../refusal.ts";
import type { Session, Subject } from "./session.ts";

/** What each frame of an authenticated connection does. */
export function routeFrame(
  parts: HubParts,
  session: Session,
  subject: Subject,
  frame: ClientFrame,
): void {
  switch (frame.type) {
    case "message.send":
      answerSend(parts, session, subject, frame);
      break;
    case "message.received":
      parts.commits.add(
        () => parts.messages.received(subject.id, frame.conversation_id, frame.conversation_seq),
        () => undefined,
        () => undefined,
      );
      break;
    case "message.read":
      // A number nobody may mark is nobody's news.
      markRead(parts, subject, frame, { kept() {}, refused() {} }, session);
      break;
    case "notice.received":
      if (subject.type !== "human") break;
      parts.commits.add(
        () => parts.notices.received(subject.id, frame.notice_id),
        () => undefined,
        () => undefined,
      );
      break;
    case "history.full":
      if (subject.type !== "human") break;
      parts.fullHistories.set(subject.id, frame.agent_id, frame.full);
      break;
    case "stream.start":
    case "stream.delta":
    case "stream.done":
    case "stream.abort":
      relayStream(parts, subject, frame);
      break;
    case "typing.start":
    case "typing.stop":
      relayTyping(parts, subject, frame);
      break;
    case "pong":
      break;
    default:
      assertNever(frame);
  }
}

function answerSend(parts: HubParts, session: Session, subject: Subject, frame: MessageSendFrame) {
  const { client_message_id } = frame;
  sendMessage(parts, subject, frame, {
    sent: (receipt) => session.send({ type: "message.ack", client_message_id, ...receipt }),
    refused: (code, params) =>
      session.send({ type: "message.refused", client_message_id, error: errorBody(code, params) }),
  });
}

function relayTyping(parts: HubParts, subject: Subject, frame: TypingFrame): void {
  const { type, conversation_id } = frame;
  const conversation = conversationOf(parts, subject, conversation_id);
  if (conversation === undefined) return;
  const relayed: TypingRelayFrame = { type, conversation_id, sender_id: subject.id };
  const text = JSON.stringify(relayed);
  for (const other of othersIn(conversation, subject)) {
    parts.connections.sendTransient(other, text);
  }
}
