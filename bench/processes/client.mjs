// A built client with the browser host: `<folder of the build> <plain or encrypted> <the hub's limits as JSON>`, then the
// client's own arguments. In JavaScript: to run TypeScript, Node would take memory that is then counted as the client's.
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [build, kind, limits, ...args] = process.argv.slice(2);
const { runBrowser } = await import(pathToFileURL(join(build, "main/run-browser.js")).href);

const end = () => void program.close().then(() => process.exit(0));
const program = await runBrowser(args, {
  sendLimits: JSON.parse(limits),
  ...(kind === "plain" ? { sealing: (await import("./plain-ends.ts")).plainSealing } : {}),
  quit: () => end(),
});
process.once("SIGTERM", end);

// The measuring process asks how much CPU time it has used, or how much memory it has.
process.on("message", (wanted) =>
  process.send?.(wanted === "memory" ? process.memoryUsage.rss() : process.cpuUsage()),
);
process.channel?.unref();
