import Type from "typebox";
import { Id, SealedPayload } from "./fields.ts";

/** Frames that are relayed at once and never stored. Stream frames go to the other members. */
export const StreamFrame = Type.Object({
  type: Type.Union([
    Type.Literal("stream.start"),
    Type.Literal("stream.delta"),
    Type.Literal("stream.done"),
    Type.Literal("stream.abort"),
  ]),
  conversation_id: Id,
  stream_id: Id,
  encrypted_payload: Type.Optional(SealedPayload),
});

/** "Is writing …": disappears 5 s after the last `typing.start`. */
export const TypingFrame = Type.Object({
  type: Type.Union([Type.Literal("typing.start"), Type.Literal("typing.stop")]),
  conversation_id: Id,
});

/** A stream frame as relayed: the sender's, plus the sender's id. */
export const StreamRelayFrame = Type.Object({
  ...StreamFrame.properties,
  sender_id: Id,
});

/** A typing frame as relayed. */
export const TypingRelayFrame = Type.Object({ ...TypingFrame.properties, sender_id: Id });

/** A stream was ended by somebody other than its sender; the sender is told too. */
export const StreamErrorFrame = Type.Object({
  type: Type.Literal("stream.error"),
  conversation_id: Id,
  stream_id: Id,
  sender_id: Id,
  code: Type.Union([
    /** 30 s without a delta. */
    Type.Literal("orphaned"),
    /** Longer than 5 minutes. */
    Type.Literal("too_long"),
    /** The sender already has 64 open streams. */
    Type.Literal("too_many"),
    /** The group has more than `STREAM_MEMBERS_AT_MOST` members. */
    Type.Literal("group_too_large"),
    /** The sender's manifest says `supports_streaming: false`. */
    Type.Literal("streaming_unsupported"),
  ]),
});

export type StreamFrame = Type.Static<typeof StreamFrame>;
export type TypingFrame = Type.Static<typeof TypingFrame>;
export type StreamRelayFrame = Type.Static<typeof StreamRelayFrame>;
export type TypingRelayFrame = Type.Static<typeof TypingRelayFrame>;
export type StreamErrorFrame = Type.Static<typeof StreamErrorFrame>;
