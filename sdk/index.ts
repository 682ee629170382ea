export type { FieldValue, FieldValues } from "../app/contract/artifacts/answer.ts";
export type { ArtifactBlock } from "../app/contract/artifacts/block.ts";
export type { DeniedReason, ErrorCode, ErrorReason, Status } from "../app/contract/codes.ts";
export type { JsonObject, JsonValue } from "../app/contract/json.ts";
export type { SchemaViolation } from "../app/contract/json-schema/schema-violation.ts";
export type {
  CapabilityFlags,
  Manifest,
  ManifestScope,
  ManifestTool,
} from "../app/contract/manifest.ts";
export { HasheeAgent } from "./agent.ts";
export { AgentError, type AgentErrorCode } from "./agent-error.ts";
export type { AgentOptions, CallToolOptions, PairOptions } from "./agent-options.ts";
export { type ArtifactParts, artifact, type BuiltArtifact } from "./artifacts/artifact.ts";
export type { AgentClock } from "./clock.ts";
export { ConversationError } from "./conversation-error.ts";
export type {
  ConversationMember,
  ConversationSummary,
  ConversationView,
} from "./conversation-views.ts";
export type { Conversations, NewGroup } from "./conversations.ts";
export { loadCredentials, type StoredCredentials } from "./credentials.ts";
export type { EncryptionEvent, SafetyNumber } from "./encryption/encryption-events.ts";
export type { KeyStore } from "./encryption/key-store.ts";
export type { OpenedMail } from "./encryption/opened-mail.ts";
export {
  type AgentEvent,
  type AgentStatus,
  type ArtifactAnswer,
  type ArtifactFetchEvent,
  type ArtifactResponseEvent,
  type ArtifactResponseHandler,
  type DeliveredMessage,
  type EventHandler,
  type FrameErrorEvent,
  type GroupMetadata,
  type GroupUpdatedEvent,
  type InboundMessage,
  isToolResponse,
  type ManifestChangedEvent,
  type MessageHandler,
  type MessageReadEvent,
  type ReauthRequiredEvent,
  type RelationEvent,
  type StatusHandler,
  type StreamErrorEvent,
  type ToolResponseEvent,
  type ToolResponseFields,
  type UnreadableMessageEvent,
} from "./events.ts";
export type { HandlerErrorReport } from "./handler-list.ts";
export { ManifestError, type ManifestErrorCode } from "./manifest-error.ts";
export type { ManifestRemark } from "./manifest-remarks.ts";
export type {
  ArtifactContent,
  ArtifactUpdate,
  MessageStream,
  SentMessage,
  TextContent,
  VoiceContent,
} from "./outbound.ts";
export type { AgentCredentials, Paired } from "./pairing.ts";
export { PairingError, type PairingErrorCode } from "./pairing-error.ts";
export { SeenDeliveries, type SeenDeliveriesOptions } from "./seen-deliveries.ts";
export { SendError } from "./send-error.ts";
export {
  ToolAbortedError,
  ToolCallError,
  ToolDeniedError,
  ToolFailedError,
  ToolRateLimitedError,
  ToolResponseUnreadableError,
  ToolTimeoutError,
  ToolUnsentError,
} from "./tool-call-error.ts";
export type { BreakingChange, ManifestUpdate } from "./update-manifest.ts";
export { type ReceivedVoice, voiceIn } from "./voice.ts";
export type { WebSocketConstructor, WebSocketLike } from "./web-socket.ts";
export { WebhookError, type WebhookErrorCode } from "./webhook-error.ts";
export {
  type EnvelopeOpener,
  parseWebhookPayload,
  type WebhookArtifactAnswerPayload,
  type WebhookEventPayload,
  type WebhookMessagePayload,
  type WebhookPayload,
  type WebhookToolResponsePayload,
  type WireMessage,
} from "./webhook-payload.ts";
export {
  type SignatureOptions,
  verifyWebhookSignature,
  type WebhookHeaders,
} from "./webhook-signature.ts";
