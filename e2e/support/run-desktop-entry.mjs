// The built program with the desktop host, with time that the test can make jump.
import { writeFileSync } from "node:fs";
import { app } from "electron";
import { jumpingTime, serveJumps } from "./jumping-time.mjs";
import { sendLimits } from "./send-limits.mjs";

// In a packaged app this file is beside the archive that holds the program.
const dist = app.isPackaged ? "../app.asar/dist" : "../../dist";
const { runDesktop } = await import(`${dist}/main/run-desktop.js`);
const time = jumpingTime();
let end = () => {};
app.on("before-quit", (event) => {
  event.preventDefault();
  end();
});
process.once("SIGTERM", () => end());
process.once("SIGINT", () => end());
writeFileSync(process.env.CONSENTRY_E2E_JUMP_FILE, await serveJumps(time.jump));

async function start() {
  const program = await runDesktop(JSON.parse(process.env.CONSENTRY_E2E_FLAGS), {
    time: time.source,
    sendLimits,
    quit: () => end(),
  });
  end = () => void program.close().then(() => app.exit(0));
}

// Not awaited: Electron becomes ready only after its entry has been evaluated.
void start();
