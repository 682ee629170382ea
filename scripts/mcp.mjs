// What an MCP client starts, from a checkout: `npm run --silent mcp -- --data-dir D`. Like `hook.mjs`, it loads what was
// built, or the sources where nothing is.
import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

const START = fileURLToPath(new URL("./start.ts", import.meta.url));

const { runMcp } = await import("../dist/main/run-mcp.js").catch(
  () => import("../main/channels/mcp/run-mcp.ts"),
);
process.exitCode = await runMcp(process.argv.slice(2), (flags, env) =>
  spawn(process.execPath, [START, ...flags], { detached: true, stdio: "ignore", env }),
);
