import { BrowserWindow, type BrowserWindowConstructorOptions, type Session } from "electron";
import { PAGE_URLS, type WindowKind } from "./app-pages.ts";
import { hardenContents, reloadAfterCrash } from "./harden-contents.ts";

const SHAPES: Readonly<Record<WindowKind, BrowserWindowConstructorOptions>> = {
  main: { width: 1100, height: 760, minWidth: 480, minHeight: 400 },
  consent: {
    width: 480,
    height: 640,
    minWidth: 360,
    minHeight: 360,
    alwaysOnTop: true,
    skipTaskbar: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    // Else the page would believe itself visible and start a countdown nobody sees (contract §3).
    paintWhenInitiallyHidden: false,
  },
};

export interface WindowOptions {
  readonly kind: WindowKind;
  readonly session: Session;
  /** File of the window's own preload. */
  readonly preload: string;
}

/** A window as every window here is made: hidden, sandboxed, with its own preload. */
export function openWindow({ kind, session, preload }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...SHAPES[kind],
    title: "Consentry",
    show: false,
    autoHideMenuBar: true,
    webPreferences: {
      session,
      preload,
      sandbox: true,
      contextIsolation: true,
      nodeIntegration: false,
      webviewTag: false,
      navigateOnDragDrop: false,
      disableDialogs: true,
      // The dictionary would be fetched from the network.
      spellcheck: false,
      devTools: false,
    },
  });
  hardenContents(window.webContents);
  reloadAfterCrash(window.webContents);
  // A load cut short by quitting rejects; whoever looks at the window sees the rest.
  window.loadURL(PAGE_URLS[kind]).catch(() => {});
  return window;
}
