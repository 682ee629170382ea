import { runConnect } from "../main/connected-apps/run-connect.ts";

/** From a checkout: `npm run connect -- APP`. */
process.exitCode = await runConnect(process.argv.slice(2), "npm run connect --", {
  node: process.execPath,
  mcp: new URL("mcp.mjs", import.meta.url),
  hook: new URL("hook.mjs", import.meta.url),
});
