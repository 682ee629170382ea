import { spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";
import { USAGE } from "../main/client/launch/flags.ts";
import {
  chooseHost,
  type Host,
  type HostFacts,
  lacksOnlyElectron,
  wantedHost,
} from "./choose-host.ts";
import { fetchElectron } from "./fetch-electron.ts";
import { findElectron } from "./find-electron.ts";
import { NODE_ENVIRONMENT, NODE_FLAGS } from "./node-flags.ts";
import { whenNpmEnds } from "./npm-end.ts";

const ROOT = new URL("../", import.meta.url);
const argv = process.argv.slice(2);

const entryOf = (host: Host): string => fileURLToPath(new URL(`dist/main/${host}-main.js`, ROOT));

/** Its messages go to standard error: standard output belongs to the program. */
async function build(): Promise<boolean> {
  const script = fileURLToPath(new URL("scripts/build.ts", ROOT));
  const child = spawn(process.execPath, [script, "--quiet"], { stdio: ["ignore", 2, 2] });
  const [code] = await once(child, "exit");
  return code === 0;
}

/** Electron's path. Where the desktop app could run but for Electron, that is fetched, once. */
async function getElectron(facts: HostFacts): Promise<Pick<HostFacts, "electron" | "notFetched">> {
  if (!lacksOnlyElectron(facts)) return facts;
  console.error("Fetching Electron for the desktop app, this once (about 120 MB).");
  const notFetched = await fetchElectron(ROOT, process.env, console.error);
  return { electron: findElectron(ROOT, process.env), notFetched };
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

const facts: HostFacts = {
  wanted: wantedHost(argv),
  platform: process.platform,
  env: process.env,
  electron: findElectron(ROOT, process.env),
  notFetched: null,
};

async function start(): Promise<void> {
  const [built, { electron, notFetched }] = await Promise.all([build(), getElectron(facts)]);
  const choice = chooseHost({ ...facts, electron, notFetched });
  if (!built) {
    console.error("Consentry could not be built; the reason stands above.");
    process.exitCode = 1;
  } else if (choice.host === null) {
    console.error(choice.why);
    process.exitCode = 1;
  } else {
    console.error(`Starting the ${choice.host} host: ${choice.why}.`);
    const entry = entryOf(choice.host);
    if (choice.host === "desktop" && electron !== null) become(electron, [entry]);
    else become(process.execPath, [...NODE_FLAGS, entry], NODE_ENVIRONMENT);
  }
}

if (argv.includes("--help")) console.log(USAGE);
else await start();
