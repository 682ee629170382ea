import type { ErrorCode, Status } from "../app/contract/codes.ts";
import type { JsonObject, JsonValue } from "../app/contract/json.ts";
import type {
  ManifestChangedFrame,
  MessageNewFrame,
  ReauthRequiredFrame,
  RelationFrame,
} from "../app/protocol/v1/frames.ts";

/** A message somebody wrote to the agent. */
export interface InboundMessage {
  readonly message_id: string;
  readonly conversation_id: string;
  readonly conversation_type: MessageNewFrame["conversation_type"];
  readonly sender_id: string;
  readonly sender_type: MessageNewFrame["sender_type"];
  readonly content_type: MessageNewFrame["content_type"];
  readonly msg_subtype?: string;
  /** For text: `{type: "text", text, markdown?}`. Deeply frozen. */
  readonly payload: JsonObject;
  /** ISO 8601. */
  readonly created_at: string;
}

/** Contract §1's response. `reason` and `error_code` are absent where the table has a dash. */
export interface ToolResponseFields {
  readonly call_id: string;
  readonly status: Status;
  readonly result?: JsonValue;
  readonly reason?: string;
  readonly error_code?: ErrorCode;
}

/** Both published shapes at once: `payload` is the older one, `artifact` the newer. */
export interface ToolResponseEvent {
  readonly type: "artifact_response";
  readonly payload: ToolResponseFields & {
    readonly conversation_id: string;
    /** The artifact answered: a call's artifact id is its call id. */
    readonly ref_artifact: string;
    readonly ref_artifact_subtype: "tool_response";
  };
  readonly artifact: ToolResponseFields & { readonly subtype: "tool_response" };
}

/** A message arrived that cannot be opened or is not strict JSON. It is not delivered again. */
export interface UnreadableMessageEvent {
  readonly type: "message.unreadable";
  readonly payload: {
    readonly message_id: string;
    readonly conversation_id: string;
    readonly code: "envelope_unreadable" | "malformed_json" | "response_unreadable";
  };
}

/** The hub could not read a frame of ours. */
export interface FrameErrorEvent {
  readonly type: "frame.error";
  readonly payload: {
    readonly code: string;
    readonly message: string;
    readonly i18n_key: string;
    readonly params: Readonly<Record<string, unknown>>;
  };
}

export type AgentEvent =
  | ToolResponseEvent
  | UnreadableMessageEvent
  | FrameErrorEvent
  | RelationFrame
  | ReauthRequiredFrame
  | ManifestChangedFrame;

export const AGENT_STATUSES = ["connecting", "connected", "reconnecting", "closed"] as const;
export type AgentStatus = (typeof AGENT_STATUSES)[number];
