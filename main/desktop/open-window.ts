import { BrowserWindow, type BrowserWindowConstructorOptions, type Session } from "electron";
import { PAGE_URLS, type WindowKind } from "./app-pages.ts";
import { hardenContents, reloadAfterCrash } from "./harden-contents.ts";
import type { Area } from "./window-place.ts";

const SHAPES: Readonly<Record<WindowKind, BrowserWindowConstructorOptions>> = {
  main: { width: 1100, height: 760, minWidth: 480, minHeight: 400 },
  consent: {
    width: 560,
    height: 680,
    minWidth: 360,
    minHeight: 480,
    alwaysOnTop: true,
    skipTaskbar: true,
    minimizable: false,
    maximizable: false,
    fullscreenable: false,
    // Otherwise the page would consider itself visible and start a countdown that nobody sees
    // (contract §3).
    paintWhenInitiallyHidden: false,
  },
};

export interface WindowOptions {
  readonly kind: WindowKind;
  readonly session: Session;
  /** The file of the window's own preload script. */
  readonly preload: string;
  /** Where it was the last time; null: the system decides. */
  readonly place: Area | null;
}

/** Creates a window as all of ours are: hidden, sandboxed, with its own preload. */
export function openWindow({ kind, session, preload, place }: WindowOptions): BrowserWindow {
  const window = new BrowserWindow({
    ...SHAPES[kind],
    ...(place === null ? {} : { x: place.x, y: place.y, width: place.width, height: place.height }),
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
      // The dictionary would be downloaded.
      spellcheck: false,
      devTools: false,
    },
  });
  hardenContents(window.webContents);
  reloadAfterCrash(window.webContents);
  // Quitting during a load rejects this; all other failures are visible in the window.
  window.loadURL(PAGE_URLS[kind]).catch(() => {});
  return window;
}
