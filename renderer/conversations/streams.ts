import type { ConversationEvents } from "../../app/bridge/conversation-events.ts";
import type { ConversationItem, StreamView } from "../../app/bridge/conversation-views.ts";

export interface ShownStream extends StreamView {
  /** Its whole text is on its way as a message: it stays until that has come. */
  readonly done: boolean;
}

export const shownStream = (view: StreamView): ShownStream => ({ ...view, done: false });

/** The texts that are being written, after this was heard of one. */
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

/** Without those whose whole text has come. */
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

/** The message that a stream ended in: of the same sender, and later or with the same words. */
const isTextOf = (item: ConversationItem, { sender_id, started_at, text }: ShownStream): boolean =>
  item.kind === "message" &&
  item.sender_id === sender_id &&
  (item.at >= started_at || item.text === text);
