import type {
  ConversationEvents,
  ConversationItem,
  StreamView,
} from "../../app/bridge/conversation-views.ts";

export interface ShownStream extends StreamView {
  /** Its whole text is on its way as a message; the stream stays until that arrives. */
  readonly done: boolean;
}

export const shownStream = (view: StreamView): ShownStream => ({ ...view, done: false });

export function withStream(
  streams: readonly ShownStream[],
  event: ConversationEvents["conversation.stream"],
  items: readonly ConversationItem[],
): readonly ShownStream[] {
  const { stream_id, sender_id, at } = event;
  const known = streams.find((stream) => stream.stream_id === stream_id);
  const others = streams.filter((stream) => stream !== known);
  const stream = known ?? { stream_id, sender_id, started_at: at, text: "", done: false };
  switch (event.kind) {
    case "opened":
      return known === undefined ? [...streams, stream] : streams;
    case "delta":
      return [...others, { ...stream, text: stream.text + event.text }];
    case "done":
      return known === undefined || items.some((item) => isTextOf(item, known))
        ? others
        : [...others, { ...known, done: true }];
    case "aborted":
      return others;
  }
}

/** Without those whose message has arrived. */
export const withoutArrived = (
  streams: readonly ShownStream[],
  arrived: readonly ConversationItem[],
): readonly ShownStream[] => {
  const left = streams.filter(
    ({ done, sender_id }) =>
      !done || !arrived.some((item) => item.kind === "message" && item.sender_id === sender_id),
  );
  return left.length === streams.length ? streams : left;
};

/** Whether the message ends the stream: same sender, and later or with the same text. */
const isTextOf = (item: ConversationItem, { sender_id, started_at, text }: ShownStream): boolean =>
  item.kind === "message" &&
  item.sender_id === sender_id &&
  (item.at >= started_at || item.text === text);
