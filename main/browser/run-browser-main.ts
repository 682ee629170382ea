import { processSurroundings, runUntilStopped } from "../client/launch/run-until-stopped.ts";
import { runBrowser } from "./run-browser.ts";

/** The whole process is the program: it ends with it. */
export function runBrowserMain(): void {
  void runUntilStopped(
    (stop) => runBrowser(process.argv.slice(2), { quit: stop }),
    processSurroundings((code) => process.exit(code)),
  );
}
