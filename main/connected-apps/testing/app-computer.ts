import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { AppId, AppPart, AppState } from "../../../app/bridge/connected-apps.ts";
import { ScratchFolder } from "../../testing/scratch-folder.ts";
import { type AppConnectionPorts, AppConnections } from "../app-connections.ts";
import type { AppEdit } from "../app-edit.ts";
import { KNOWN_APPS } from "../known-apps.ts";

/** What the apps start, if a test says nothing else. */
export const command = (part: AppPart, id: AppId) => ({
  command: "/opt/node",
  args: [...(part === "tools" ? ["/opt/mcp.mjs"] : ["/opt/hook.mjs", id]), "--data-dir", "/data"],
});

/** What stands in a person's settings beside ours, by the format. */
export const OTHERS: Readonly<Record<string, string>> = {
  json: '{\n  // mine\n  "theme": "dark"\n}\n',
  toml: 'model = "m" # mine\n',
  yaml: "GOOSE_MODEL: m # mine\n",
};

export function editOf(id: AppId, part: AppPart): AppEdit {
  const edit = KNOWN_APPS[id][part];
  if (edit === undefined) throw new Error(`${id} has no ${part}`);
  return edit;
}

/** For tests: a person's home folder with apps that run agents, and Consentry beside them. */
export class AppComputer extends ScratchFolder {
  apps = this.consentry("data");

  override renew(): void {
    super.renew();
    this.apps = this.consentry("data");
  }

  get #places() {
    return { platform: "linux", home: this.base, env: {} } as const;
  }

  /** As it sees and changes the apps with a data folder of this name. */
  consentry(folder: string, start: AppConnectionPorts["command"] = command): AppConnections {
    const dataDir = join(this.base, folder);
    mkdirSync(dataDir, { recursive: true });
    return new AppConnections({ dataDir, places: this.#places, command: start });
  }

  fileOf(id: AppId, part: AppPart = "tools"): string {
    return editOf(id, part).file(this.#places);
  }

  /** @returns the settings file of this part; without a text there is none */
  install(id: AppId, text?: string, part: AppPart = "tools"): string {
    const file = this.fileOf(id, part);
    for (const sign of KNOWN_APPS[id].signs(this.#places).slice(-1))
      mkdirSync(sign, { recursive: true });
    mkdirSync(dirname(file), { recursive: true });
    if (text !== undefined) writeFileSync(file, text);
    return file;
  }

  /** All apps, with their settings. */
  uninstall(): void {
    for (const name of readdirSync(this.base).filter((each) => each !== "data")) {
      rmSync(join(this.base, name), { recursive: true });
    }
  }

  make(app_id: AppId, connect = true, part: AppPart = "tools"): void {
    const wanted = { app_id, part, connect };
    this.apps.apply(wanted, this.apps.change(wanted).digest);
  }

  stateOf(id: AppId, part: AppPart = "tools"): AppState | undefined {
    return this.apps.list().find(({ app_id }) => app_id === id)?.[part]?.state;
  }
}
