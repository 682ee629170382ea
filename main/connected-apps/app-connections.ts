import { createHash } from "node:crypto";
import { homedir } from "node:os";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import Type from "typebox";
import { bridgeError } from "../../app/bridge/client-bridge.ts";
import {
  APP_IDS,
  APP_PARTS,
  type AppChange,
  type AppId,
  type AppPart,
  type AppPartView,
  type AppState,
  type AppView,
} from "../../app/bridge/connected-apps.ts";
import { guardOf } from "../../app/contract/checked.ts";
import { textHunks } from "../tools/files/writing/content-preview.ts";
import type { AppEdit, AppPlaces, Command } from "./app-edit.ts";
import { type AppRecord, AppRecordFile } from "./app-records.ts";
import {
  backupPlace,
  readBackup,
  readConfig,
  removeBackup,
  writeBackup,
  writeConfig,
} from "./config-file.ts";
import { configTextError } from "./config-text.ts";
import { isFound, KNOWN_APPS, PATIENCE_SECONDS } from "./known-apps.ts";

/** A hook answers this long before the app stops waiting for it. */
const SPARE_SECONDS = 20;
const WITH_OUR_ENTRY: readonly AppState[] = ["connected", "changed", "not_renewable"];
const BYTE_ORDER_MARK = "\uFEFF";

export interface AppConnectionPorts {
  readonly dataDir: string;
  readonly places: AppPlaces;
  /** The program that apps start for this part. */
  command(part: AppPart, app_id: AppId): Command;
}

/** Our part in an app's configuration, to be put there or taken out. */
export interface WantedChange {
  readonly app_id: AppId;
  readonly part: AppPart;
  /** False: taken out. */
  readonly connect: boolean;
}

/** A change that has been worked out and not made. */
interface Planned {
  readonly file: string;
  readonly before: string | null;
  /** Null: the file goes, since it was not there before us. */
  readonly after: string | null;
  /** What we noted when we left the file as it is now. */
  readonly left: AppRecord | undefined;
  /** Where what is there now is to be kept; null: there is nothing, or it is not as it was before us. */
  readonly backup: string | null;
}

/** What apps start: a command of ours that takes `mcp` and `hook`, or our files with this Node. */
export type AppPrograms =
  | {
      readonly ownCommand: (
        dataDir: string,
        part: AppPart,
      ) => readonly [program: string, ...args: readonly string[]];
    }
  | { readonly node: string; readonly mcp: URL; readonly hook: URL };

/** On this computer, for this person. */
export const ownAppConnections = (dataDir: string, programs: AppPrograms): AppConnections =>
  new AppConnections({
    dataDir,
    places: { platform: process.platform, home: homedir(), env: process.env },
    command: (part, app_id) => commandOf(programs, part, app_id, dataDir),
  });

/** What an app's configuration says about how to start this part. */
export function commandOf(
  programs: AppPrograms,
  part: AppPart,
  app_id: AppId,
  dataDir: string,
): Command {
  const [command, ...own] =
    "ownCommand" in programs
      ? [...programs.ownCommand(dataDir, part), part === "tools" ? "mcp" : "hook"]
      : [programs.node, fileURLToPath(part === "tools" ? programs.mcp : programs.hook)];
  const limit = String(PATIENCE_SECONDS - SPARE_SECONDS);
  const hooked = part === "tools" ? [] : [app_id, "--limit", limit];
  return { command, args: [...own, ...hooked, "--data-dir", dataDir] };
}

/**
 * Enters Consentry in the configurations of apps that run agents, and takes it out. The person sees
 * each change first, and exactly that change is made or none.
 */
export class AppConnections {
  readonly #ports: AppConnectionPorts;
  readonly #records: AppRecordFile;

  constructor(ports: AppConnectionPorts) {
    this.#ports = ports;
    this.#records = new AppRecordFile(ports.dataDir);
  }

  /** The apps that are installed, and those that are gone but were connected. */
  list(): readonly AppView[] {
    return APP_IDS.filter((id) => this.#isInstalled(id)).map((app_id) => {
      const { name, hook } = KNOWN_APPS[app_id];
      const view = (part: AppPart, edit: AppEdit) => ({
        file: edit.file(this.#ports.places),
        ...this.#status(app_id, part, edit),
      });
      return {
        app_id,
        name,
        tools: view("tools", KNOWN_APPS[app_id].tools),
        hook: hook === undefined ? null : { ...view("hook", hook), notes: hook.notes },
      };
    });
  }

  /** The files, folders and program that show that an app is installed. */
  lookedFor(app_id: AppId): { readonly name: string; readonly places: readonly string[] } {
    const { name, signs, program } = KNOWN_APPS[app_id];
    const onPath = program === undefined ? [] : [`${program} on the PATH`];
    return { name, places: [...signs(this.#ports.places), ...onPath] };
  }

  /**
   * What would be written.
   * @throws BridgeError `not_found`, `config_unreadable`, `config_too_large`, `config_not_editable`,
   *   `config_backup_blocked`, `path_unusable`
   */
  change(wanted: WantedChange): AppChange {
    const planned = this.#plan(wanted);
    const { file, before, after, backup } = planned;
    const hunks = textHunks(withLineFeeds(before ?? ""), withLineFeeds(after ?? ""));
    if (hunks === null) throw bridgeError("config_not_editable");
    const { app_id, part } = wanted;
    return { app_id, part, file, backup, hunks, digest: digestOf(planned) };
  }

  /**
   * Makes the change that `digest` names.
   * @throws BridgeError as `change`, `config_changed`, `file_unwritable`
   */
  apply(wanted: WantedChange, digest: string): void {
    const planned = this.#plan(wanted);
    if (digestOf(planned) !== digest) throw bridgeError("config_changed");
    const { app_id, part, connect } = wanted;
    const { file, before, after, left, backup } = planned;
    if (backup !== null && before !== null) writeBackup(backup, before);
    if (after !== before) writeConfig(file, after, before);
    if (!connect && left?.backup != null && after !== null) removeBackup(left.backup, after);
    const written = after === null ? "" : sha256(after);
    if (left !== undefined) this.#records.leftAgain(left, written);
    // Beside an entry of ours that somebody else changed, nothing is known that could be put back.
    const isKnown = left !== undefined || backup !== null || before === null;
    const record = { file, written: isKnown ? written : "", backup: left ? left.backup : backup };
    this.#records.set(app_id, part, connect ? record : null);
  }

  /**
   * Takes out everything of ours; nothing, if the settings of one app cannot be read or understood. If a
   * file cannot be written, the others still are.
   * @throws BridgeError `config_unreadable`, `config_not_editable`, `config_changed`, `file_unwritable`: the first
   */
  disconnectAll(): void {
    const all = APP_IDS.filter((id) => this.#isInstalled(id)).flatMap((app_id) =>
      APP_PARTS.filter((part) => this.#mayHaveOurs(app_id, part)).map((part) => {
        return { app_id, part, connect: false };
      }),
    );
    for (const wanted of all) this.#plan(wanted);
    const failures: unknown[] = [];
    for (const wanted of all) {
      try {
        this.apply(wanted, digestOf(this.#plan(wanted)));
      } catch (error) {
        failures.push(error);
      }
    }
    if (failures.length > 0) throw failures[0];
  }

  #mayHaveOurs(app_id: AppId, part: AppPart): boolean {
    const edit = KNOWN_APPS[app_id][part];
    if (edit === undefined) return false;
    const { state } = this.#status(app_id, part, edit);
    const wasConnected = this.#records.of(app_id, part) !== undefined;
    // Whoever entered a hook: it starts Consentry.
    const isOurHook = state === "not_ours" && part === "hook";
    const isUnknown = ["unreadable", "too_large", "not_editable"].includes(state);
    return hasOurEntry(state) || isOurHook || (isUnknown && wasConnected);
  }

  #plan({ app_id, part, connect }: WantedChange): Planned {
    const edit = KNOWN_APPS[app_id][part];
    if (edit === undefined || !this.#isInstalled(app_id)) throw bridgeError("not_found");
    const file = edit.file(this.#ports.places);
    const before = readConfig(file);
    const left = before === null ? undefined : this.#records.leftAs(file, sha256(before));
    const states = this.#statesIn(app_id, file, before ?? "");
    const isBesideOurs = APP_PARTS.some((each) => each !== part && hasOurEntry(states[each]));
    const hasOurs = isBesideOurs || hasOurEntry(states[part]);
    const isTheirs = states[part] === "not_ours" || (connect && before !== null && !hasOurs);
    const backup = left === undefined && isTheirs ? backupPlace(file) : null;
    const own = this.#ports.command(part, app_id);
    const after = connect
      ? editing(before ?? edit.seed, (text) => edit.with(text, own, this.#ports.places.platform))
      : this.#without(app_id, edit, before, isBesideOurs ? undefined : left);
    return { file, before, after, left, backup };
  }

  /** As it was before us, if nobody else has changed it since. */
  #without(app_id: AppId, edit: AppEdit, before: string | null, left?: AppRecord): string | null {
    if (before === null || left?.backup === null) return null;
    const kept = left === undefined ? null : readBackup(left.backup);
    // What is kept because of somebody else's entry can hold one of ours.
    const states = this.#statesIn(app_id, edit.file(this.#ports.places), kept ?? "");
    if (kept !== null && !Object.values(states).includes("connected")) return kept;
    return editing(before, (text) => edit.without(text));
  }

  /** Of the parts that belong in this file, in a text of it. */
  #statesIn(app_id: AppId, file: string, text: string): Partial<Record<AppPart, AppState>> {
    return Object.fromEntries(
      APP_PARTS.flatMap((part) => {
        const edit = KNOWN_APPS[app_id][part];
        if (edit?.file(this.#ports.places) !== file) return [];
        return [[part, this.#stateIn(text, app_id, part, edit)]];
      }),
    );
  }

  #status(app_id: AppId, part: AppPart, edit: AppEdit): Pick<AppPartView, "state" | "bytes"> {
    try {
      const text = readConfig(edit.file(this.#ports.places)) ?? "";
      return { state: this.#stateIn(text, app_id, part, edit) };
    } catch (error) {
      if (!bridgeError.is(error)) throw error;
      if (error.code !== "config_too_large") return { state: "unreadable" };
      return { state: "too_large", ...fileSize(error.details) };
    }
  }

  #stateIn(text: string, app_id: AppId, part: AppPart, edit: AppEdit): AppState {
    const { platform } = this.#ports.places;
    const wanted = edit.wanted(this.#ports.command(part, app_id), platform);
    const wasConnected = this.#records.of(app_id, part) !== undefined;
    try {
      const found = edit.found(unmarked(text));
      if (wanted === null) return found === undefined ? "path_unusable" : "not_renewable";
      if (found === undefined) return wasConnected ? "removed" : "not_connected";
      if (isDeepStrictEqual(structuredClone(found), wanted)) return "connected";
      return wasConnected ? "changed" : "not_ours";
    } catch (error) {
      if (configTextError.is(error)) return "not_editable";
      throw error;
    }
  }

  #isInstalled(app_id: AppId): boolean {
    const wasConnected = APP_PARTS.some((part) => this.#records.of(app_id, part) !== undefined);
    return wasConnected || isFound(KNOWN_APPS[app_id], this.#ports.places);
  }
}

const hasOurEntry = (state: AppState | undefined): boolean =>
  state !== undefined && WITH_OUR_ENTRY.includes(state);

const isFileSize = guardOf(Type.Object({ bytes: Type.Integer() }));
const fileSize = (details: unknown): Pick<AppPartView, "bytes"> =>
  isFileSize(details) ? { bytes: details.bytes } : {};

const withLineFeeds = (text: string): string => text.replaceAll("\r\n", "\n");

const unmarked = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

function editing(before: string, edit: (text: string) => string): string {
  const text = unmarked(before);
  const mark = text === before ? "" : BYTE_ORDER_MARK;
  try {
    return mark + edit(text);
  } catch (error) {
    throw configTextError.is(error) ? bridgeError("config_not_editable") : error;
  }
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const digestOf = ({ file, before, after }: Planned): string =>
  sha256(JSON.stringify([file, before, after]));
