import { randomBytes } from "node:crypto";
import { startHub } from "../start-hub.ts";

/** A hub in a process of its own, to be killed: database and port are its arguments. */
const [databasePath = "", port = "0"] = process.argv.slice(2);
const hub = await startHub({
  databasePath,
  port: Number(port),
  clock: { now: () => Date.now() },
  scheduler: {
    after(ms, run) {
      const timer = setTimeout(run, ms);
      return () => clearTimeout(timer);
    },
  },
  random: (bytes) => randomBytes(bytes),
  checkSchema: async () => [],
  // What is tried with it is not the limits.
  limits: { toolCallsPerMinute: 1_000_000, sentBytesPerMinute: Number.MAX_SAFE_INTEGER },
});
const { url, userId } = hub;
process.stdout.write(`${JSON.stringify({ url, userId, token: await hub.issueAccessToken() })}\n`);
