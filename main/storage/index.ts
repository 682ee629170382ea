export type { ActivityFilter, LineFilter } from "./activity/activity-filter.ts";
export type { ActivityReader, VerifyProgress } from "./activity/activity-reader.ts";
export type { AgentReader, AgentWriter, GrantChange } from "./agent-store.ts";
export type { ManifestUpdate } from "./agent-table.ts";
export { type Anchor, AnchorFile } from "./anchor.ts";
export type { AnchorOptions } from "./anchor-keeper.ts";
export { fastSha256 } from "./audit-chain.ts";
export { AUDIT_COLUMNS, type AuditRow, COLUMNS_OF, chainedRecordOf } from "./audit-row.ts";
export type { ConversationStore } from "./conversations/conversation-store.ts";
export type {
  About,
  Content,
  MessageContent,
  NoteContent,
  StoredItem,
} from "./conversations/stored-item.ts";
export type { KeyRecordStore } from "./encryption/key-record-table.ts";
export { forgetSealed } from "./forget-sealed.ts";
export type { GrantStore } from "./grant-book.ts";
export { type LogSource, openLog, type SeqRange, type TimeRange } from "./log-source.ts";
export {
  type MaintenanceReport,
  type OpenedStore,
  openStore,
  type Store,
  type StoreOptions,
} from "./open-store.ts";
export { type SeedOptions, seedLog } from "./seeding/seed-log.ts";
export type { SettingsReader, SettingsWriter } from "./settings-store.ts";
export { STORE_ERRORS, StoreError, type StoreErrorCode } from "./store-error.ts";
export type { Ticker } from "./trusted-clock.ts";
