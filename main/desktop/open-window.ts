import {
  BrowserWindow,
  type BrowserWindowConstructorOptions,
  protocol,
  type Session,
  screen,
  type WebContents,
} from "electron";
import type { HostMemory } from "../client/host-port.ts";
import { type RendererFiles, rendererHeaders } from "../client/launch/renderer-files.ts";
import { appPathOf, PAGE_URLS, SCHEME, type WindowKind } from "./app-pages.ts";
import { type Area, fitToScreens, keptPlace, type WindowPlace } from "./window-place.ts";

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

/** How often a crashed page is reloaded; after that it stays closed, and nothing is approved. */
const RELOADS_AT_MOST = 3;

/** Nothing that a page shows can navigate it elsewhere (docs/threat-model.md). */
function hardenContents(contents: WebContents): void {
  contents.on("will-navigate", (event) => event.preventDefault());
  contents.on("will-redirect", (event) => event.preventDefault());
  contents.on("will-attach-webview", (event) => event.preventDefault());
  contents.setWindowOpenHandler(() => ({ action: "deny" }));
}

function reloadAfterCrash(contents: WebContents): void {
  let reloads = 0;
  contents.on("render-process-gone", (_event, details) => {
    if (details.reason === "clean-exit" || reloads >= RELOADS_AT_MOST) return;
    reloads += 1;
    contents.reload();
  });
}

interface MainWindow {
  show(): void;
}

/**
 * The main window appears once it is drawn. Closing it keeps the program in the tray if there is
 * one; otherwise it ends the program, which the person could not find again.
 */
export function keepMainWindow(
  window: BrowserWindow,
  parts: {
    readonly maximized: boolean;
    readonly hasTray: () => boolean;
    readonly quit: () => void;
  },
): MainWindow {
  window.once("ready-to-show", () => {
    if (parts.maximized) window.maximize();
    window.show();
  });
  window.on("close", (event) => {
    event.preventDefault();
    if (parts.hasTray()) window.hide();
    else parts.quit();
  });
  return {
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
  };
}

const NAME = "main_window";
/** Dragging a window sends an event for each step; without one for this long, it is at rest. */
const AT_REST_MS = 500;

/** Where the main window last was, adjusted to the current screens. */
export function lastWindowPlace(memory: HostMemory): WindowPlace | null {
  const kept = keptPlace(memory.value(NAME));
  const areas = screen.getAllDisplays().map(({ workArea }) => workArea);
  return kept && fitToScreens(kept, areas);
}

/** Stores the window's position. @returns stops that; resolves once the last position is stored */
export function keepWindowPlace(window: BrowserWindow, memory: HostMemory): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const keep = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    const { x, y, width, height } = window.getNormalBounds();
    const place: WindowPlace = { x, y, width, height, maximized: window.isMaximized() };
    // Losing a position only costs the person a click.
    await memory.putValue(NAME, JSON.stringify(place)).catch(() => {});
  };
  const moved = () => {
    clearTimeout(timer);
    timer = setTimeout(() => void keep(), AT_REST_MS);
  };
  window.on("move", moved);
  window.on("resize", moved);
  window.on("maximize", moved);
  window.on("unmaximize", moved);
  return async () => {
    if (timer !== undefined) await keep();
  };
}

/** Must run before Electron is ready. */
export function declareAppScheme(): void {
  protocol.registerSchemesAsPrivileged([
    { scheme: SCHEME, privileges: { standard: true, secure: true } },
  ]);
}

/** Serves the renderer to windows of `session`, and nothing else under the scheme. */
export function serveAppScheme(session: Session, files: RendererFiles): void {
  session.protocol.handle(SCHEME, (request) => {
    const path = appPathOf(request.url);
    const file = path === null || request.method !== "GET" ? undefined : files.get(path);
    // The headers allow no connections: the page reaches the program only through the preload's
    // IPC.
    if (file === undefined) {
      return new Response("not_found", { status: 404, headers: rendererHeaders("text/plain", []) });
    }
    return new Response(file.body, { headers: rendererHeaders(file.type, []) });
  });
}
