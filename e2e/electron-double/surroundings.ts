import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter } from "node:events";
import { record } from "./record.ts";

/** What stands around the windows: remembered, not shown. */

interface MenuItem {
  readonly label?: string;
  readonly type?: string;
  readonly checked?: boolean;
  readonly submenu?: readonly MenuItem[];
  readonly click?: () => void;
}

export const Menu = {
  buildFromTemplate: (items: readonly MenuItem[]): readonly MenuItem[] => items,
  setApplicationMenu: (_menu: readonly MenuItem[]): void => {},
};

export const nativeImage = {
  createFromBitmap: (_pixels: Uint8Array, size: object): object => size,
};

const trays = new Set<Tray>();

export class Tray extends EventEmitter {
  menu: readonly MenuItem[] = [];

  constructor(_image: object) {
    super();
    trays.add(this);
  }

  setToolTip(text: string): void {
    record({ what: "tray.tooltip", detail: text });
  }

  setImage(_image: object): void {
    record({ what: "tray.image" });
  }

  setContextMenu(menu: readonly MenuItem[]): void {
    this.menu = menu;
    record({ what: "tray.menu", detail: menu.map(({ label }) => label ?? "") });
    const checked = itemsIn(menu).filter((item) => item.checked === true);
    record({ what: "tray.checked", detail: checked.map(({ label }) => label ?? "") });
  }

  destroy(): void {
    trays.delete(this);
    record({ what: "tray.destroy" });
  }
}

const itemsIn = (menu: readonly MenuItem[]): readonly MenuItem[] =>
  menu.flatMap((item) => [item, ...itemsIn(item.submenu ?? [])]);

/** The person chooses the item of the tray's menu, or of one that opens from it, with this label. */
export function chooseInTray(label: string): boolean {
  const items = itemsIn([...trays].flatMap((tray) => tray.menu));
  const item = items.find((each) => each.label === label);
  item?.click?.();
  return item !== undefined;
}

const WIDTH = 1_920;
const displayAt = (x: number) => ({ workArea: { x, y: 0, width: WIDTH, height: 1_080 } });
const LEFT = displayAt(0);
const RIGHT = displayAt(WIDTH);
let pointer = { x: 10, y: 10 };

export const movePointer = (to: typeof pointer): void => {
  pointer = to;
};

export const screen = {
  getCursorScreenPoint: () => pointer,
  getDisplayNearestPoint: ({ x }: { readonly x: number }) => (x < WIDTH ? LEFT : RIGHT),
  getAllDisplays: () => [LEFT, RIGHT],
};

export const systemPreferences = {
  askForMediaAccess: async (_kind: string) => true,
};

const PARENT_PORT = new URL("./parent-port.mjs", import.meta.url).href;

class UtilityProcess extends EventEmitter {
  readonly #child: ChildProcess;

  constructor(script: string, args: readonly string[]) {
    super();
    this.#child = spawn(process.execPath, ["--import", PARENT_PORT, script, ...args], {
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.once("exit", (code) => this.emit("exit", code ?? 1));
    this.#child.on("message", (message) => this.emit("message", message));
  }

  postMessage(message: object): void {
    this.#child.send(message, () => {});
  }

  kill(): boolean {
    return this.#child.kill();
  }
}

export const utilityProcess = {
  fork(script: string, args: readonly string[] = []): UtilityProcess {
    record({ what: "utilityProcess.fork", detail: { script } });
    return new UtilityProcess(script, args);
  },
};
