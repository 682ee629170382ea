export { hubError } from "./hub-error.ts";
export type { Hub, HubOptions, HubRecovery, SendLimits } from "./hub-options.ts";
export { manifestProblems } from "./registry/read-checked-manifest.ts";
export { startHub } from "./start-hub.ts";
export { newId } from "./tokens/random-text.ts";
