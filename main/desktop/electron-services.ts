import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  app,
  BrowserWindow,
  ClipboardItem,
  clipboard,
  dialog,
  Menu,
  Notification,
  type OpenDialogOptions,
  type SaveDialogOptions,
  safeStorage,
  utilityProcess,
} from "electron";
import { CLIPBOARD_IMAGE_MAX_BYTES } from "../../app/contract/tools/clipboard-image-limits.ts";
import { toolFailure } from "../../app/execution/ports.ts";
import type { Translate } from "../../i18n/index.ts";
import type { StartProgram } from "../client/agents/shipped-program.ts";
import type { KeyVault } from "../keys/index.ts";
import type {
  ClipboardImageService,
  ClipboardService,
  ConversationPlace,
  LocationService,
  NotificationService,
  PlatformServices,
} from "../tools/platform/platform-services.ts";
import { folderPicker, type OpenSaveDialog } from "./folder-dialog.ts";
import { keepShownNotifications } from "./shown-notifications.ts";

export const shownNotifications = keepShownNotifications((text) => new Notification(text));

/** What Electron can do, and the system's location. */
export function electronServices(parts: {
  /** The person clicked on an agent's notification. */
  readonly opened: (place: ConversationPlace) => void;
  /** Electron has no location service for the main process. */
  readonly location: () => LocationService | null;
}): PlatformServices {
  const notifications: NotificationService = {
    show(text, signal) {
      const { title, body, replaces } = text;
      const clicked = () => parts.opened(text);
      return shownNotifications.show({ title, body, replaces, clicked }, signal);
    },
  };
  const folders = folderPicker(openFolderDialog);
  return {
    clipboard: () => electronClipboard,
    clipboardImages: () => electronClipboardImages,
    notifications: () => (Notification.isSupported() ? notifications : null),
    location: parts.location,
    folderPicker: () => folders,
  };
}

/** Attached to the window with the focus, from which the person asked. */
async function openFolderDialog(startAt: string | null): Promise<readonly string[]> {
  const options: OpenDialogOptions = {
    properties: ["openDirectory", "createDirectory"],
    ...(startAt === null ? {} : { defaultPath: startAt }),
  };
  const asking = BrowserWindow.getFocusedWindow();
  const { filePaths } = await (asking === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(asking, options));
  return filePaths;
}

const PNG = "image/png";

const electronClipboard: ClipboardService = {
  async read(signal) {
    signal.throwIfAborted();
    return await clipboard.readText();
  },
  async write(text, signal) {
    signal.throwIfAborted();
    await clipboard.writeText(text);
  },
};

/** Electron returns any image on the clipboard as a PNG. */
const electronClipboardImages: ClipboardImageService = {
  async read(signal) {
    signal.throwIfAborted();
    const items = await clipboard.read();
    const item = items.find(({ types }) => types.includes(PNG));
    if (item === undefined) return null;
    const png = await item.getType<string>(PNG);
    signal.throwIfAborted();
    if (!(png instanceof Blob)) return null;
    if (png.size > CLIPBOARD_IMAGE_MAX_BYTES) throw toolFailure("too_large");
    return new Uint8Array(await png.arrayBuffer());
  },
  async write(png, signal) {
    signal.throwIfAborted();
    const image = new Blob([new Uint8Array(png)], { type: PNG });
    await clipboard.write([new ClipboardItem({ [PNG]: image })]);
  },
};

/** Attached to the window with the focus, from which the person asked. */
export const openSaveDialog: OpenSaveDialog = async (name) => {
  const options: SaveDialogOptions = {
    defaultPath: join(app.getPath("downloads"), name),
    properties: ["createDirectory", "showOverwriteConfirmation"],
  };
  const asking = BrowserWindow.getFocusedWindow();
  const { canceled, filePath } = await (asking === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(asking, options));
  return canceled || filePath === "" ? null : filePath;
};

/**
 * The system's key store, through Electron. On a Linux without one, Electron would encrypt with a
 * publicly known password, which counts as having none.
 */
export const systemVault: KeyVault = {
  async available() {
    if (!(await safeStorage.isAsyncEncryptionAvailable())) return false;
    return process.platform !== "linux" || safeStorage.getSelectedStorageBackend() !== "basic_text";
  },
  async wrap(key) {
    const text = Buffer.from(key).toString("base64");
    return new Uint8Array(await safeStorage.encryptStringAsync(text));
  },
  async unwrap(wrapped) {
    try {
      const opened = await safeStorage.decryptStringAsync(Buffer.from(wrapped));
      const key = new Uint8Array(Buffer.from(opened.result, "base64"));
      return { key, stale: opened.shouldReEncrypt };
    } catch {
      return null;
    }
  },
};

/** Electron's executable is not Node; a utility process is, without a window. */
export const startUtilityProgram: StartProgram = (script, args, { exited, said }) => {
  const child = utilityProcess.fork(fileURLToPath(script), [...args], { stdio: "ignore" });
  child.once("exit", exited);
  child.on("message", said);
  return { tell: (message) => child.postMessage(message), end: () => void child.kill() };
};

/**
 * Copying, zooming (accessibility) and what macOS expects. Electron's own menu would also reload
 * pages and link to its web site.
 */
export function setAppMenu(platform: NodeJS.Platform, t: Translate): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(platform === "darwin" ? [{ role: "appMenu" } as const] : []),
      { role: "editMenu" },
      {
        label: t("desktop.view"),
        submenu: [{ role: "resetZoom" }, { role: "zoomIn" }, { role: "zoomOut" }],
      },
      { role: "windowMenu" },
    ]),
  );
}
