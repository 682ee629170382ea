/**
 * A double of the few Electron APIs that main/desktop and preload/ use, so that the built program
 * and its preloads run against Chromium where no Electron binary can be had. Test code.
 *
 * What it does not show:
 * - Isolation. Preload code runs in the page's own world and `contextBridge` only sets a property:
 *   nothing here proves contextIsolation, the sandbox or process separation. The double's own
 *   bindings (`__electronDouble*`) are visible to every frame; a foreign frame can call them,
 *   which is how tests forge a sender.
 * - The scheme. Chromium cannot be taught `consentry://` from outside, so pages are really at
 *   `https://app.consentry.double.invalid/…`, answered by intercepting every request and asking
 *   the handler given to `protocol.handle`. Addresses are translated on the way in and out:
 *   `senderFrame.url` is presented as `consentry://app/…`. Pages see the https address.
 * - Windows. Each is a headless page that is always drawn. Shown, hidden, focused and minimised
 *   are bookkeeping; the page is told of them through replaced `document.visibilityState`,
 *   `document.hasFocus()` and synthetic `visibilitychange`, `focus` and `blur`. Stacking, always
 *   on top and whether the keyboard was really left alone cannot be seen.
 * - Places: there are two displays of 1920 × 1080, side by side. Bounds are what was last set; a page keeps the size
 *   its window was made with, and no window manager has a say.
 * - Keys for the whole system: pressed by a test; those with F9 count as another program's.
 * - The lock on the screen: a flag that `powerMonitor` tells of. Nothing is covered, and pages go on
 *   believing themselves visible, as they do where the system tells a browser of no lock.
 * - Tray, menus, badges, flashing taskbar entries, notifications and the clipboard: remembered, not
 *   shown. The clipboard is a
 *   variable and no system clipboard: what is put on it is given back as it was, where Electron
 *   decodes and re-encodes images. A notification is always taken by the system, and lies
 *   there until it is closed or clicked.
 * - Links and files: they come by `open-url` and `open-file` alone, as on macOS; that a system knows the
 *   scheme and the files' ending is not seen.
 * - Dialogs: nothing is shown. Each waits for an answer that a test gives; whether a system would
 *   offer that path, ask before replacing a file or lock the window behind it is not seen.
 *   An error box is a line on standard error.
 * - Utility processes: plain Node processes.
 * - The system's key store: one that is always open and hides nothing.
 * - Permissions: the page's `getUserMedia` is replaced by one that first asks the session's handler, and
 *   Chromium then allows it. No other permission is asked for.
 * - Crash and webview events never come by themselves. `will-navigate` does, made of
 *   intercepted requests; redirects are not told apart. `window.open` is replaced in the page and
 *   asks the handler; nothing is ever opened. A page opened in another way is closed when denied.
 * - An installed program: with `ELECTRON_DOUBLE_RESOURCES` it believes that it is one, but there is no
 *   archive, no fuse and no installer. Its updates come through Node's own requests, so nothing is
 *   seen of proxies, the system's certificates, or who signed a package.
 * - Requests to any other address are dropped, as if there were no network.
 *
 * `ELECTRON_DOUBLE_CDP_FILE` names a file that receives, once ready, `{"cdp", "control"}`: the
 * address for `chromium.connectOverCDP`, and of the control server (control-server.ts) that tells
 * what was recorded and does what a person does outside the pages.
 */
export { app } from "./app.ts";
export { BrowserWindow } from "./browser-window.ts";
export { ClipboardItem, clipboard } from "./clipboard.ts";
export { dialog } from "./dialog.ts";
export { globalShortcut } from "./global-shortcut.ts";
export { ipcMain } from "./ipc-main.ts";
export { net } from "./net.ts";
export { Notification } from "./notification.ts";
export { powerMonitor } from "./power-monitor.ts";
export { safeStorage } from "./safe-storage.ts";
export { protocol, session } from "./session.ts";
export {
  Menu,
  nativeImage,
  screen,
  systemPreferences,
  Tray,
  utilityProcess,
} from "./surroundings.ts";
