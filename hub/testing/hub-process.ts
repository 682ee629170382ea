import { flushCompileCache } from "node:module";
import { startHub } from "../start-hub.ts";
import { testHubOptions } from "./hub-options.ts";

// A killed process leaves nothing behind for the next one to start with.
flushCompileCache();

/** A hub in a process of its own, to be killed: database and port are its arguments. */
const [databasePath = "", port = "0"] = process.argv.slice(2);
const hub = await startHub({
  ...testHubOptions,
  databasePath,
  port: Number(port),
  // What is tried with it is not the limits.
  limits: { toolCallsPerMinute: null, sentBytesPerMinute: null },
});
const { url, userId } = hub;
process.stdout.write(`${JSON.stringify({ url, userId, token: await hub.issueAccessToken() })}\n`);
