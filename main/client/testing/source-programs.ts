import type { OwnPrograms } from "../launch/launch-options.ts";

/** Our programs as source files, which Node runs directly. */
export const sourcePrograms: OwnPrograms = {
  schemaWorker: new URL("../../schemas/schema-worker.ts", import.meta.url),
  fileWorker: new URL("../../tools/files/file-worker.ts", import.meta.url),
  readerWorker: new URL("../../storage/activity/reader-worker.ts", import.meta.url),
  passwordWorker: new URL("../../keys/password-worker.ts", import.meta.url),
  mcp: new URL("../../../scripts/mcp.ts", import.meta.url),
  hook: new URL("../../../scripts/hook.ts", import.meta.url),
  sampleAgent: new URL("../../../sdk/sample-agent/main.ts", import.meta.url),
  modelAgent: new URL("../../../agent-host/model-agent/main.ts", import.meta.url),
};
