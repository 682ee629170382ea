import { serveOverStdio } from "../../main/channels/mcp/stdio-server.ts";
import { dataFolder } from "../../main/client/launch/data-folder.ts";
import { VERSION } from "../../main/client/launch/version.ts";

/** The server of the bundle: it only leads to a program that runs, and says so while none does. */
await serveOverStdio({
  dataDir: dataFolder(null),
  version: VERSION,
  name: null,
  start: async () => {},
  clientTool: null,
});
