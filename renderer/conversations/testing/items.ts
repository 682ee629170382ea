import type { MessageItem } from "../../../app/bridge/conversation-views.ts";

/** A message from an agent; tests pass in what differs. */
export const message = (
  item_id: string,
  at: number,
  parts: Partial<MessageItem> = {},
): MessageItem => ({
  kind: "message",
  item_id,
  at,
  message_id: item_id,
  seq: at,
  sender_id: "agent-1",
  mine: false,
  content: "text",
  text: item_id,
  truncated: false,
  artifact: null,
  answers: null,
  voice: null,
  state: { kind: "received" },
  client_message_id: null,
  ...parts,
});
