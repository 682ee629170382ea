import { spawn, spawnSync } from "node:child_process";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { USAGE } from "../main/client/launch/flags.ts";
import { chooseHost, type Host, wantedHost } from "./choose-host.ts";
import { findElectron } from "./find-electron.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-flags.ts";
import { whenNpmEnds } from "./npm-end.ts";

const ROOT = new URL("../", import.meta.url);
const argv = process.argv.slice(2);
const electron = findElectron(ROOT, process.env);

const entryOf = (host: Host): string => fileURLToPath(new URL(`dist/main/${host}-main.js`, ROOT));

/** Its messages go to standard error: standard output belongs to the program. */
function build(): boolean {
  const script = fileURLToPath(new URL("scripts/build.ts", ROOT));
  return spawnSync(process.execPath, [script, "--quiet"], { stdio: ["ignore", 2, 2] }).status === 0;
}

/**
 * Runs the program in our place: same terminal, same signals, same exit code. It shuts down cleanly
 * when its channel to us closes, and therefore also when we end, for whatever reason.
 */
function become(program: string, args: readonly string[], env = {}): void {
  const child = spawn(program, [...args, ...argv], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
    env: { ...env, ...process.env, CONSENTRY_NODE: process.execPath },
  });
  whenNpmEnds("start", () => {
    if (child.connected) child.disconnect();
  });
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.on(signal, () => child.kill(signal));
  }
  child.on("error", (error) => {
    console.error(`Consentry could not start: ${error.message}`);
    process.exitCode = 1;
  });
  child.on("exit", (code, signal) => {
    process.exit(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
  });
}

const choice = chooseHost({
  wanted: wantedHost(argv),
  platform: process.platform,
  env: process.env,
  electron,
});
if (argv.includes("--help")) {
  console.log(USAGE);
} else if (choice.host === null) {
  console.error(choice.why);
  process.exitCode = 1;
} else if (build()) {
  console.error(`Starting the ${choice.host} host: ${choice.why}.`);
  const entry = entryOf(choice.host);
  if (choice.host === "desktop" && electron !== null) become(electron, [entry]);
  else become(process.execPath, [...NODE_FLAGS, entry], NODE_ENVIRONMENT);
} else {
  console.error("Consentry could not be built; the reason stands above.");
  process.exitCode = 1;
}
