// The built program with the desktop host, with time that the test can make jump.
import { writeFileSync } from "node:fs";
import { app } from "electron";
import { runDesktop } from "../../dist/main/run-desktop.js";
import { jumpingTime, serveJumps } from "./jumping-time.mjs";
import { sendLimits } from "./send-limits.mjs";

const time = jumpingTime();
let end = () => {};
app.on("before-quit", (event) => {
  event.preventDefault();
  end();
});
process.once("SIGTERM", () => end());
process.once("SIGINT", () => end());

async function start() {
  writeFileSync(process.env.CONSENTRY_E2E_JUMP_FILE, await serveJumps(time.jump));
  const program = await runDesktop(process.argv.slice(2), {
    time: time.source,
    sendLimits,
    quit: () => end(),
  });
  end = () => void program.close().then(() => app.exit(0));
}

// Not awaited: Electron becomes ready only after its entry has been evaluated.
void start();
