import { app, dialog } from "electron";
import {
  farewellOf,
  processSurroundings,
  runUntilStopped,
} from "../client/launch/run-until-stopped.ts";
import { systemTime } from "../client/launch/system-time.ts";
import { commandWord, runCommand } from "./command-line.ts";
import { runDesktop } from "./run-desktop.ts";

/** Electron is started as `electron <entry> ...flags`, a packaged program without the entry. */
const argv = process.argv.slice(app.isPackaged ? 1 : 2);

const word = commandWord(argv);

if (word === undefined) {
  void runUntilStopped(
    (stop) => {
      // Closing takes a while: Electron waits until `app.exit`.
      app.on("before-quit", (event) => {
        event.preventDefault();
        stop();
      });
      return runDesktop(argv, { time: systemTime(), quit: stop }).catch(showFailure);
    },
    processSurroundings((code) => app.exit(code)),
  );
} else {
  void runCommand(word, argv.slice(1)).then(
    (code) => app.exit(code),
    () => app.exit(2),
  );
}

/** Standard error of an installed program is seen by nobody. */
function showFailure(error: unknown): never {
  const { line, exitCode } = farewellOf(error);
  if (app.isPackaged && exitCode !== 0) dialog.showErrorBox("Consentry", line);
  throw error;
}
