import { processSurroundings, runUntilStopped } from "../../main/client/run-until-stopped.ts";
import { systemTime } from "../../main/client/system-time.ts";

/** The built client with the browser host, whose hub takes as many calls as are measured. */
const built = new URL("../../dist/main/run-browser.js", import.meta.url).href;
const { runBrowser }: typeof import("../../main/browser/run-browser.ts") = await import(built);

const options = { time: systemTime(), toolCallsPerMinute: 1_000_000 };
void runUntilStopped(
  () => runBrowser(process.argv.slice(2), options),
  processSurroundings((code) => process.exit(code)),
);
