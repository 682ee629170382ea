export { HubError, type HubStartFault } from "./hub-error.ts";
export type {
  Clock,
  Hub,
  HubOptions,
  Log,
  RandomBytes,
  Scheduler,
  SchemaProblem,
} from "./hub-options.ts";
export { startHub } from "./start-hub.ts";
