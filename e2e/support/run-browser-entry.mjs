// The built program with the browser host, with time that the test can make jump.
import { writeFileSync } from "node:fs";
import { runBrowser } from "../../dist/main/run-browser.js";
import { jumpingTime, serveJumps } from "./jumping-time.mjs";
import { sendLimits } from "./send-limits.mjs";

const time = jumpingTime();
writeFileSync(process.env.CONSENTRY_E2E_JUMP_FILE, await serveJumps(time.jump));
const end = () => void program.close().then(() => process.exit(0));
const program = await runBrowser(process.argv.slice(2), {
  time: time.source,
  sendLimits,
  quit: () => end(),
});
process.once("SIGTERM", end);
process.once("SIGINT", end);
