export type { ActivityFilter } from "./activity-query.ts";
export type { ActivityReader } from "./activity-reader.ts";
export type { AgentReader, AgentWriter, GrantChange } from "./agent-store.ts";
export type { ManifestUpdate } from "./agent-table.ts";
export type { GrantStore } from "./grant-book.ts";
export {
  type MaintenanceReport,
  type OpenedStore,
  openStore,
  type Store,
  type StoreOptions,
} from "./open-store.ts";
export type { SettingsReader, SettingsWriter } from "./settings-store.ts";
export { STORE_ERRORS, StoreError, type StoreErrorCode } from "./store-error.ts";
export type { Ticker } from "./trusted-clock.ts";
