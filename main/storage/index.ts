export { storeError } from "../../runtime/sqlite/store-error.ts";
export type { ActivityReader } from "./activity/activity-reader.ts";
export type { AgentReader, AgentWriter } from "./agent-store.ts";
export { type Anchor, AnchorFile } from "./anchor.ts";
export { fastSha256 } from "./audit-chain.ts";
export {
  AUDIT_COLUMNS,
  type AuditRow,
  COLUMNS_OF,
  chainedRecordOf,
  FIRST_AUDIT_COLUMNS,
} from "./audit-row.ts";
export type { ConversationStore } from "./conversations/conversation-store.ts";
export type {
  About,
  AnswerContent,
  ArtifactContent,
  FormerMessage,
  MessageContent,
  NoteContent,
  OwnMessage,
  StoredItem,
  VoiceContent,
} from "./conversations/stored-item.ts";
export { DamagedLog, type FoundRecord } from "./damaged-log.ts";
export { forgetSealed } from "./forget-sealed.ts";
export type { GrantStore } from "./grant-store.ts";
export type { KeptCall, KeptChange, KeptChanges, KeptEffect } from "./kept-changes.ts";
export type { KeyRecordStore } from "./key-record-store.ts";
export { type LogSource, openLog, type SeqRange, type TimeRange } from "./log-source.ts";
export { openStore } from "./open-store.ts";
export type { KeptValues, SettingsReader, SettingsWriter } from "./settings-store.ts";
export type { OpenedStore, Store } from "./store.ts";
export { SUBJECT_BYTES } from "./subjects/subject-digests.ts";
