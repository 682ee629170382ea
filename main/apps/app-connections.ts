import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";
import { isDeepStrictEqual } from "node:util";
import {
  APP_IDS,
  type AppChange,
  type AppId,
  type AppState,
  type AppView,
} from "../../app/bridge/app-views.ts";
import { BridgeError } from "../../app/bridge/client-bridge.ts";
import { textHunks } from "../tools/files/writing/text-hunks.ts";
import { AppRecordFile } from "./app-records.ts";
import { readConfig, writeConfig } from "./config-file.ts";
import {
  ConfigTextError,
  type EntryPlace,
  entryIn,
  withEntry,
  withoutEntry,
} from "./config-text.ts";
import { type AppPlaces, KNOWN_APPS, type KnownApp, type McpCommand } from "./known-apps.ts";

const OUR_NAME = "consentry";
const BYTE_ORDER_MARK = "\uFEFF";

export interface AppConnectionPorts {
  readonly dataDir: string;
  readonly places: AppPlaces;
  readonly mcp: McpCommand;
}

/**
 * On this computer, for this person.
 * @param node the Node that programs start our MCP server with
 */
export const ownAppConnections = (dataDir: string, node: string, mcpServer: URL): AppConnections =>
  new AppConnections({
    dataDir,
    places: { platform: process.platform, home: homedir(), env: process.env },
    mcp: { command: node, args: [fileURLToPath(mcpServer), "--data-dir", dataDir] },
  });

/** A change that has been worked out and not made. */
interface Planned {
  readonly file: string;
  readonly before: string | null;
  /** Null: the file goes, since it was not there before us. */
  readonly after: string | null;
  readonly backup: string | null;
}

/**
 * Enters our MCP server in the configurations of programs that run agents, and takes it out. The
 * person sees each change first, and exactly that change is made or none.
 */
export class AppConnections {
  readonly #ports: AppConnectionPorts;
  readonly #records: AppRecordFile;

  constructor(ports: AppConnectionPorts) {
    this.#ports = ports;
    this.#records = new AppRecordFile(ports.dataDir);
  }

  /** The programs that are installed, and those that are gone but were connected. */
  list(): readonly AppView[] {
    return APP_IDS.filter((id) => this.#isInstalled(id)).map((app_id) => ({
      app_id,
      name: KNOWN_APPS[app_id].name,
      file: this.#file(app_id),
      state: this.#state(app_id),
    }));
  }

  /**
   * What connecting, or taking our entry out, would write.
   * @throws BridgeError `not_found`, `config_unreadable`
   */
  change(app_id: AppId, connect: boolean): AppChange {
    const planned = this.#plan(app_id, connect);
    const hunks = textHunks(planned.before ?? "", planned.after ?? "");
    if (hunks === null) throw new BridgeError("config_unreadable");
    const { file, backup } = planned;
    return { app_id, file, backup: connect ? backup : null, hunks, digest: digestOf(planned) };
  }

  /**
   * Makes the change that `digest` names.
   * @throws BridgeError `not_found`, `config_unreadable`, `config_changed`, `file_unwritable`
   */
  apply(app_id: AppId, connect: boolean, digest: string): void {
    const planned = this.#plan(app_id, connect);
    if (digestOf(planned) !== digest) throw new BridgeError("config_changed");
    const { file, before, after, backup } = planned;
    if (connect && backup !== null && before !== null) {
      writeConfig(backup, before, readConfig(backup));
    }
    writeConfig(file, after, before);
    const written = after === null ? "" : sha256(after);
    this.#records.set(app_id, connect ? { file, written, backup } : null);
  }

  #plan(app_id: AppId, connect: boolean): Planned {
    if (!this.#isInstalled(app_id)) throw new BridgeError("not_found");
    const file = this.#file(app_id);
    const before = readConfig(file);
    const backup = before === null ? null : `${file}.before-consentry`;
    const after = connect ? this.#connected(app_id, before) : this.#disconnected(app_id, before);
    return { file, before, after, backup };
  }

  #connected(app_id: AppId, before: string | null): string {
    const app = KNOWN_APPS[app_id];
    return editing(before, (text) =>
      withEntry(app.format, text, placeOf(app), app.entry(this.#ports.mcp)),
    );
  }

  /** As it was before us if nobody changed it since; otherwise only our entry goes. */
  #disconnected(app_id: AppId, before: string | null): string | null {
    const app = KNOWN_APPS[app_id];
    const record = this.#records.of(app_id);
    if (before !== null && record?.written === sha256(before)) {
      if (record.backup === null) return null;
      const kept = readConfig(record.backup);
      if (kept !== null) return kept;
    }
    return editing(before, (text) => withoutEntry(app.format, text, placeOf(app)));
  }

  #state(app_id: AppId): AppState {
    const app = KNOWN_APPS[app_id];
    try {
      const text = unmarked(readConfig(this.#file(app_id)) ?? "");
      const entry = entryIn(app.format, text, placeOf(app));
      if (entry === undefined) {
        return this.#records.of(app_id) === undefined ? "not_connected" : "removed";
      }
      const ours = app.entry(this.#ports.mcp);
      return isDeepStrictEqual(structuredClone(entry), ours) ? "connected" : "changed";
    } catch (error) {
      if (error instanceof BridgeError || error instanceof ConfigTextError) return "unreadable";
      throw error;
    }
  }

  #file(app_id: AppId): string {
    return KNOWN_APPS[app_id].file(this.#ports.places);
  }

  #isInstalled(app_id: AppId): boolean {
    const { signs, program } = KNOWN_APPS[app_id];
    const { places } = this.#ports;
    return (
      signs(places).some((path) => existsSync(path)) ||
      (program !== undefined && isOnPath(program, places)) ||
      this.#records.of(app_id) !== undefined
    );
  }
}

const placeOf = ({ table }: KnownApp): EntryPlace => [table, OUR_NAME];

const unmarked = (text: string): string =>
  text.startsWith(BYTE_ORDER_MARK) ? text.slice(BYTE_ORDER_MARK.length) : text;

function editing(before: string | null, edit: (text: string) => string): string {
  const text = unmarked(before ?? "");
  const mark = text === (before ?? "") ? "" : BYTE_ORDER_MARK;
  try {
    return mark + edit(text);
  } catch (error) {
    throw error instanceof ConfigTextError ? new BridgeError("config_unreadable") : error;
  }
}

function isOnPath(program: string, { platform, env }: AppPlaces): boolean {
  const ends = platform === "win32" ? [".exe", ".cmd"] : [""];
  return (env.PATH ?? "")
    .split(delimiter)
    .filter((folder) => folder !== "")
    .some((folder) => ends.some((end) => existsSync(join(folder, program + end))));
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

const digestOf = ({ file, before, after }: Planned): string =>
  sha256(JSON.stringify([file, before, after]));
