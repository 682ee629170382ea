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
export type { WebSocketLike } from "../app/protocol/link/web-socket.ts";
export { HasheeAgent } from "./agent.ts";
export { type ArtifactParts, artifact, type BuiltArtifact } from "./artifacts.ts";
export { type ConnectOptions, connect } from "./connect.ts";
export type {
  ArtifactContent,
  ArtifactUpdate,
  MessageStream,
  SentMessage,
  TextContent,
  VoiceContent,
} from "./content.ts";
export { type ReceivedVoice, voiceIn } from "./content.ts";
export type {
  ConversationMember,
  ConversationSummary,
  Conversations,
  ConversationView,
  NewGroup,
} from "./conversations.ts";
export type { AgentCredentials } from "./credentials.ts";
export { loadCredentials, type StoredCredentials } from "./credentials.ts";
export type { EncryptionEvent, OpenedMail, SafetyNumber } from "./encryption/encryption-events.ts";
export type { ManifestRemark } from "./errors.ts";
export {
  AgentError,
  type AgentErrorCode,
  type ManifestErrorCode,
  type PairingErrorCode,
  ToolCallError,
  type WebhookErrorCode,
} from "./errors.ts";
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
  type HubMovedEvent,
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
export type { HandlerErrorReport } from "./handlers.ts";
export type { BreakingChange, ManifestUpdate } from "./manifest.ts";
export { type ManifestFacts, manifestFor } from "./manifest-for.ts";
export type {
  AgentClock,
  AgentOptions,
  CallToolOptions,
  KeyStore,
  PairOptions,
  WebSocketConstructor,
} from "./options.ts";
export type { Paired } from "./pairing.ts";
export type { ToolArguments, ToolName, ToolResult, ToolTypes } from "./tool-types.ts";
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
  SeenDeliveries,
  type SeenDeliveriesOptions,
  type SignatureOptions,
  verifyWebhookSignature,
  type WebhookHeaders,
} from "./webhook-signature.ts";
