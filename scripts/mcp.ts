import { spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { runMcp } from "../main/channels/mcp/run-mcp.ts";

/** What an MCP client starts, from a checkout: `npm run --silent mcp -- --data-dir D`. */
const START = fileURLToPath(new URL("./start.ts", import.meta.url));

process.exitCode = await runMcp(process.argv.slice(2), (flags) =>
  spawn(process.execPath, [START, ...flags], { detached: true, stdio: "ignore" }),
);
