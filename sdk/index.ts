export type { DeniedReason, ErrorCode, ErrorReason, Status } from "../app/contract/codes.ts";
export type { JsonObject, JsonValue } from "../app/contract/json.ts";
export type {
  CapabilityFlags,
  Manifest,
  ManifestScope,
  ManifestTool,
} from "../app/contract/manifest.ts";
export { HasheeAgent } from "./agent.ts";
export { AgentError, type AgentErrorCode } from "./agent-error.ts";
export type { AgentOptions, CallToolOptions, PairOptions } from "./agent-options.ts";
export type { AgentClock } from "./clock.ts";
export type {
  AgentEvent,
  AgentStatus,
  EventHandler,
  FrameErrorEvent,
  InboundMessage,
  ManifestChangedEvent,
  MessageHandler,
  ReauthRequiredEvent,
  RelationEvent,
  StatusHandler,
  ToolResponseEvent,
  ToolResponseFields,
  UnreadableMessageEvent,
} from "./events.ts";
export type { HandlerErrorReport } from "./handler-list.ts";
export type { ArtifactContent, MessageStream, SentMessage, TextContent } from "./outbound.ts";
export type { AgentCredentials } from "./pairing.ts";
export { PairingError, type PairingErrorCode } from "./pairing-error.ts";
export { SendError } from "./send-error.ts";
export {
  ToolAbortedError,
  ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  ToolResponseUnreadableError,
  ToolTimeoutError,
  ToolUnsentError,
} from "./tool-call-error.ts";
export type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";
