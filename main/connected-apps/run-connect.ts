import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import {
  APP_IDS,
  type AppChange,
  type AppId,
  type AppPart,
  type AppPartView,
  type AppView,
  type HookNote,
} from "../../app/bridge/connected-apps.ts";
import { escapeUnseen } from "../../app/contract/unseen.ts";
import { makeOwnFolder } from "../../runtime/files/own-file.ts";
import { dataFolder } from "../client/launch/data-folder.ts";
import { type AppConnections, type AppPrograms, ownAppConnections } from "./app-connections.ts";
import { KNOWN_APPS, type KnownApp } from "./known-apps.ts";

const usage = (
  command: string,
): string => `Usage: ${command} APP [--hook] [--undo] [--yes] [--data-dir DIR]
Adds Consentry's tools to the settings of an app that runs agents, or removes them with --undo.
With --hook: makes the app ask in Consentry before its own tools run.
Shows the change and asks first, unless --yes is given. Without APP: lists the apps found.
APP is one of: ${APP_IDS.join(", ")}`;

const SIGNS = { same: " ", added: "+", removed: "-" } as const;
const ADVICE: Readonly<Record<string, string>> = {
  config_unreadable:
    "Its settings file cannot be read. Check that it is a text file that you may read and, if it is a link, where it leads.",
  config_not_editable:
    "Its settings file has an error or a form that Consentry does not change. Correct it, or write the entry yourself: docs/connecting-apps.md shows it.",
  config_changed: "Its settings file has changed meanwhile. Try again.",
  path_unusable:
    "The path of Consentry or of its data has a blank or a special character, so this app could not start the hook.",
  file_unwritable: "Its settings file could not be written.",
};

const NOTES: Readonly<Record<HookNote, (app: string) => string>> = {
  goes_on: (app) => `If Consentry is moved or removed, ${app} goes on without asking.`,
  trust_first: (app) =>
    `${app} skips a new or changed hook until you trust it there: enter /hooks in ${app}.`,
  newer_only: (app) => `${app} 1.34 asks in Consentry but ignores the answer. Use a newer version.`,
};

function flags(argv: readonly string[]) {
  return parseArgs({
    args: [...argv],
    allowPositionals: true,
    options: {
      hook: { type: "boolean", default: false },
      undo: { type: "boolean", default: false },
      yes: { type: "boolean", default: false },
      help: { type: "boolean", default: false },
      "data-dir": { type: "string" },
    },
  });
}

function show(apps: readonly AppView[]): void {
  if (apps.length === 0) console.log("No app that runs agents was found on this computer.");
  for (const { app_id, tools, hook } of apps) {
    console.log(`${app_id}\ttools\t${tools.state}\t${escapeUnseen(tools.file)}`);
    if (hook === null) continue;
    console.log(`${app_id}\thook\t${hook.state}\t${escapeUnseen(hook.file)}`);
  }
}

/** What comes from a file or its path is shown as on pages. */
const say = (line: string): void => console.log(escapeUnseen(line));

function showChange({ hunks, backup }: AppChange): void {
  if (hunks.length === 0) console.log("There is nothing to change.");
  for (const { lines } of hunks) {
    for (const { kind, text } of lines) say(`${SIGNS[kind]} ${text}`);
  }
  if (backup !== null) say(`The file as it is now is kept as ${backup}`);
}

function showWhatFollows({ name, hook }: KnownApp, part: AppPart): void {
  const when =
    part === "tools" ? "then appears in Consentry" : "appears in Consentry when it first asks";
  console.log(`Restart the app. Its request to connect ${when}.`);
  const notes = part === "tools" ? [] : (hook?.notes ?? []);
  for (const note of notes) console.log(NOTES[note](name));
}

async function agreed(): Promise<boolean> {
  process.stderr.write("Make this change? [y/N] ");
  for await (const answer of createInterface({ input: process.stdin })) {
    return /^y(es)?$/i.test(answer.trim());
  }
  return false;
}

/** Where this part is set up; a text: why nowhere. */
function settingsOf(apps: AppConnections, id: AppId, part: AppPart): AppPartView | string {
  const app = apps.list().find(({ app_id }) => app_id === id);
  if (app === undefined) {
    const { name, places } = apps.lookedFor(id);
    return `${name} was not found on this computer (looked for ${places.join(", ")}).`;
  }
  return app[part] ?? `${app.name} has no hooks that can be set up here.`;
}

async function connect(
  argv: readonly string[],
  command: string,
  programs: AppPrograms,
): Promise<number> {
  const { values, positionals } = flags(argv);
  const [name, ...more] = positionals;
  const app_id = APP_IDS.find((id) => id === name);
  if (values.help || more.length > 0 || (name !== undefined && app_id === undefined)) {
    console.error(usage(command));
    return values.help ? 0 : 2;
  }
  const dataDir = dataFolder(values["data-dir"] ?? null);
  makeOwnFolder(dataDir);
  const apps = ownAppConnections(dataDir, programs);
  if (app_id === undefined) {
    show(apps.list());
    return 0;
  }
  const part: AppPart = values.hook ? "hook" : "tools";
  const settings = settingsOf(apps, app_id, part);
  if (typeof settings === "string") {
    console.error(escapeUnseen(settings));
    return 1;
  }
  say(settings.file);
  const connect = !values.undo;
  const wanted = { app_id, part, connect };
  const change = apps.change(wanted);
  if (!connect && settings.state === "removed") {
    apps.apply(wanted, change.digest);
    console.log("The entry is gone already. Consentry no longer expects it.");
    return 0;
  }
  showChange(change);
  if (change.hunks.length === 0) return 0;
  if (!values.yes && !(await agreed())) return 1;
  apps.apply(wanted, change.digest);
  if (connect) showWhatFollows(KNOWN_APPS[app_id], part);
  return 0;
}

/**
 * Enters Consentry in the settings of an app, or takes it out.
 * @param command how people type it
 * @returns the exit code: 1 when nothing was changed, 2 for a command that makes no sense
 */
export async function runConnect(
  argv: readonly string[],
  command: string,
  programs: AppPrograms,
): Promise<number> {
  try {
    return await connect(argv, command, programs);
  } catch (error) {
    const code = bridgeError.is(error) ? error.code : "";
    const message = error instanceof Error ? error.message : String(error);
    console.error(escapeUnseen(ADVICE[code] ?? message));
    return code === "" ? 2 : 1;
  }
}
