import module from "node:module";
import { fileURLToPath } from "node:url";

/**
 * What is compiled is kept beside the program, so that later starts need not compile it again. Whoever could
 * change it could change the program itself. If it cannot be kept, or Node is too old, starts only take longer.
 */
module.enableCompileCache?.(fileURLToPath(new URL("../compiled", import.meta.url)));
const { runBrowserMain } = await import("./run-browser-main.ts");
runBrowserMain();
