import module from "node:module";
import { fileURLToPath } from "node:url";

/**
 * What is compiled is kept beside the program, so that later starts need not compile it again. Whoever could
 * change it could change the program itself. If it cannot be kept, or Node is too old, starts only take longer.
 */
module.enableCompileCache?.(fileURLToPath(new URL("../compiled", import.meta.url)));
const [{ processSurroundings, runUntilStopped }, { runBrowser }] = await Promise.all([
  import("../client/launch/run-until-stopped.ts"),
  import("./run-browser.ts"),
]);
// The whole process is the program: it ends with it.
void runUntilStopped(
  (stop) => runBrowser(process.argv.slice(2), { quit: stop }),
  processSurroundings((code) => process.exit(code)),
);
