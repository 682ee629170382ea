import { processSurroundings, runUntilStopped } from "../client/run-until-stopped.ts";
import { systemTime } from "../client/system-time.ts";
import { runBrowser } from "./run-browser.ts";

void runUntilStopped(
  () => runBrowser(process.argv.slice(2), { time: systemTime() }),
  processSurroundings((code) => process.exit(code)),
);
