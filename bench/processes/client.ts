import { join } from "node:path";
import { pathToFileURL } from "node:url";
import {
  processSurroundings,
  runUntilStopped,
} from "../../main/client/launch/run-until-stopped.ts";
import { systemTime } from "../../main/client/launch/system-time.ts";
import { NO_LIMITS } from "./no-limits.ts";

/**
 * A built client with the browser host, whose hub has no rate limits unless it is `limited`.
 * Arguments: the build's folder, `plain`, `encrypted` or `limited`, then the client's own arguments.
 */
const [build = "", kind, ...args] = process.argv.slice(2);
const built = pathToFileURL(join(build, "main/run-browser.js")).href;
const { runBrowser }: typeof import("../../main/browser/run-browser.ts") = await import(built);

const options = {
  time: systemTime(),
  ...(kind === "limited" ? {} : { sendLimits: NO_LIMITS }),
  ...(kind === "plain" ? { sealing: (await import("./plain-ends.ts")).plainSealing } : {}),
};
void runUntilStopped(
  (quit) => runBrowser(args, { ...options, quit }),
  processSurroundings((code) => process.exit(code)),
);

// The measuring process asks how much CPU time it has used, or how much memory it has.
process.on("message", (wanted) =>
  process.send?.(wanted === "memory" ? process.memoryUsage.rss() : process.cpuUsage()),
);
process.channel?.unref();
