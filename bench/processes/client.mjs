// A built client with the browser host, whose hub has no rate limits unless it is `limited`: `<folder of the build>`,
// `plain`, `encrypted` or `limited`, then the client's own arguments. As it was built: to run TypeScript, Node itself would
// take memory that is then counted as the client's.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [build, kind, ...args] = process.argv.slice(2);
const { runBrowser } = await import(pathToFileURL(join(build, "main/run-browser.js")).href);

const NO_LIMITS = { toolCallsPerMinute: 1_000_000, sentBytesPerMinute: Number.MAX_SAFE_INTEGER };
const end = () => void program.close().then(() => process.exit(0));
const program = await runBrowser(args, {
  ...(kind === "limited" ? {} : { sendLimits: NO_LIMITS }),
  ...(kind === "plain" ? { sealing: (await import("./plain-ends.ts")).plainSealing } : {}),
  quit: () => end(),
});
process.once("SIGTERM", end);

// The measuring process asks how much CPU time it has used, or how much memory it has.
process.on("message", (wanted) =>
  process.send?.(wanted === "memory" ? process.memoryUsage.rss() : process.cpuUsage()),
);
process.channel?.unref();
