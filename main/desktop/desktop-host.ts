import { fileURLToPath } from "node:url";
import { app, Notification, session } from "electron";
import type { Events } from "../../app/bridge/events.ts";
import type { Settings, Snapshot } from "../../app/bridge/views.ts";
import type { ClientProgram, HostParts, RunningHost } from "../client/host-port.ts";
import { readRendererFiles } from "../client/renderer-files.ts";
import { setAppMenu } from "./app-menu.ts";
import { PAGE_URLS, type WindowKind } from "./app-pages.ts";
import { serveAppScheme } from "./app-scheme.ts";
import { type AppTray, createAppTray } from "./app-tray.ts";
import { connectWindows, type Windows } from "./bridge-ipc.ts";
import { keepConsentWindow } from "./consent-window.ts";
import { desktopTexts } from "./desktop-texts.ts";
import { electronServices, showNotification } from "./electron-services.ts";
import { denyPermissions } from "./harden-contents.ts";
import { keepMainWindow } from "./main-window.ts";
import { newRequestsFinder, requestAnnouncement } from "./new-requests.ts";
import { openWindow } from "./open-window.ts";
import { startUtilityProgram } from "./start-program.ts";

export interface DesktopHostOptions {
  /** Folder of the built renderer. */
  readonly rendererDir: URL;
  /** Folder of the built preloads. */
  readonly preloadDir: URL;
  /** The person wants the program to end. */
  readonly quit: () => void;
}

/** The host in Electron. To be made once Electron is ready. */
export function desktopHostParts(options: DesktopHostOptions): HostParts {
  return {
    kind: "desktop",
    platform: electronServices(),
    page: null,
    startProgram: startUtilityProgram,
    start: (program) => startHost(options, program),
  };
}

/** @throws HostError */
async function startHost(
  options: DesktopHostOptions,
  program: ClientProgram,
): Promise<RunningHost> {
  const files = await readRendererFiles(options.rendererDir);
  const settings = await settingsOf(program);
  setAppMenu(process.platform, textsFor(settings));
  const stopped = new AbortController();
  // Not a persistent partition: nothing a page keeps outlives the program.
  const pages = session.fromPartition("consentry");

  denyPermissions(pages);
  serveAppScheme(pages, files);
  const preloadOf = (kind: WindowKind) => fileURLToPath(new URL(`${kind}.cjs`, options.preloadDir));
  const open = (kind: WindowKind) => openWindow({ kind, session: pages, preload: preloadOf(kind) });
  const windows: Windows = { main: open("main"), consent: open("consent") };
  connectWindows(windows, program, stopped.signal);
  const tray = createAppTray({
    texts: textsFor(settings),
    open: () => main.show(),
    quit: options.quit,
  });
  const main = keepMainWindow(windows.main, { hasTray: () => tray !== null, quit: options.quit });
  followProgram({ program, windows, tray, signal: stopped.signal });
  app.on("activate", main.show);
  return {
    ui: PAGE_URLS.main,
    raise() {
      main.show();
      return PAGE_URLS.main;
    },
    async close() {
      stopped.abort();
      app.off("activate", main.show);
      tray?.destroy();
      windows.main.destroy();
      windows.consent.destroy();
    },
  };
}

function followProgram(parts: {
  readonly program: ClientProgram;
  readonly windows: Windows;
  readonly tray: AppTray | null;
  readonly signal: AbortSignal;
}): void {
  const consent = keepConsentWindow(parts.windows.consent);
  const newOnes = newRequestsFinder();
  parts.program.subscribe((name, event) => {
    // The type of `event` follows from `name`, which the compiler cannot see here.
    if (name === "consents.changed") {
      const cards = event as Events["consents.changed"];
      const arrived = newOnes(cards);
      consent.waiting(cards.length, arrived.length > 0);
      if (Notification.isSupported()) {
        // A notification that cannot be shown takes nothing from the window that can.
        for (const card of arrived) {
          showNotification(requestAnnouncement(card), consent.bringUp).catch(() => {});
        }
      }
    } else if (name === "settings.changed") {
      parts.tray?.relabel(textsFor(event as Events["settings.changed"]));
    }
  }, parts.signal);
}

const textsFor = ({ language }: Pick<Settings, "language">) =>
  desktopTexts(language, app.getPreferredSystemLanguages());

async function settingsOf(program: ClientProgram): Promise<Pick<Settings, "language">> {
  const reply = await program.answer({
    name: "app.snapshot",
    args: {},
    senderAllowed: true,
    allowed: ["app.snapshot"],
  });
  return reply.ok ? (reply.result as Snapshot).settings : { language: null };
}
