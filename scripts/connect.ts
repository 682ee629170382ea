import { runConnect } from "../main/apps/run-connect.ts";

/** From a checkout: `npm run connect -- APP`. */
process.exitCode = await runConnect(process.argv.slice(2), "npm run connect --", {
  node: process.execPath,
  mcp: new URL("mcp.ts", import.meta.url),
  hook: new URL("hook.ts", import.meta.url),
});
