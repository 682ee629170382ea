import { fileURLToPath } from "node:url";
import { app, Notification, session } from "electron";
import type { Events } from "../../app/bridge/events.ts";
import type { ConsentCard, Settings, Snapshot } from "../../app/bridge/views.ts";
import type { ClientProgram, HostParts, RunningHost } from "../client/host-port.ts";
import { readRendererFiles } from "../client/renderer-files.ts";
import { systemLocation } from "../tools/location/system-location.ts";
import type { ConversationPlace } from "../tools/platform-services.ts";
import { setAppMenu } from "./app-menu.ts";
import { PAGE_URLS, type WindowKind } from "./app-pages.ts";
import { serveAppScheme } from "./app-scheme.ts";
import { type AppTray, createAppTray } from "./app-tray.ts";
import { connectWindows, sendEvent, type Windows } from "./bridge-ipc.ts";
import { keepConsentWindow } from "./consent-window.ts";
import { desktopTexts } from "./desktop-texts.ts";
import { electronServices, shownNotifications } from "./electron-services.ts";
import { denyPermissions } from "./harden-contents.ts";
import { keepMainWindow } from "./main-window.ts";
import { newRequestsFinder, requestAnnouncement } from "./new-requests.ts";
import { openWindow } from "./open-window.ts";
import { openSaveDialog } from "./save-dialog.ts";
import { saveFile } from "./save-file.ts";
import { startUtilityProgram } from "./start-program.ts";
import { systemVault } from "./system-vault.ts";

export interface DesktopHostOptions {
  /** Folder of the built renderer. */
  readonly rendererDir: URL;
  /** Folder of the built preloads. */
  readonly preloadDir: URL;
  /** The built thread that finds locations. */
  readonly locationWorker: URL;
  /** The person wants the program to end. */
  readonly quit: () => void;
}

/** The host in Electron. To be made once Electron is ready. */
export function desktopHostParts(options: DesktopHostOptions): HostParts {
  let opened: (place: ConversationPlace) => void = () => {};
  return {
    kind: "desktop",
    platform: electronServices({
      opened: (place) => opened(place),
      location: systemLocation({ workerUrl: options.locationWorker }),
    }),
    page: null,
    deliverFile: saveFile(openSaveDialog),
    keyVault: systemVault,
    startProgram: startUtilityProgram,
    async start(program) {
      const { host, open } = await startHost(options, program);
      opened = open;
      return host;
    },
  };
}

/** @throws HostError */
async function startHost(
  options: DesktopHostOptions,
  program: ClientProgram,
): Promise<{ readonly host: RunningHost; readonly open: (place: ConversationPlace) => void }> {
  const files = await readRendererFiles(options.rendererDir);
  const settings = await settingsOf(program);
  setAppMenu(process.platform, textsFor(settings));
  const stopped = new AbortController();
  // Not a persistent partition: nothing a page keeps outlives the program.
  const pages = session.fromPartition("consentry");

  denyPermissions(pages);
  serveAppScheme(pages, files);
  const preloadOf = (kind: WindowKind) => fileURLToPath(new URL(`${kind}.cjs`, options.preloadDir));
  const made = (kind: WindowKind) => openWindow({ kind, session: pages, preload: preloadOf(kind) });
  const windows: Windows = { main: made("main"), consent: made("consent") };
  connectWindows(windows, program, stopped.signal);
  const tray = createAppTray({
    texts: textsFor(settings),
    open: () => main.show(),
    quit: options.quit,
  });
  const main = keepMainWindow(windows.main, { hasTray: () => tray !== null, quit: options.quit });
  followProgram({ program, windows, tray, signal: stopped.signal });
  app.on("activate", main.show);
  const host: RunningHost = {
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
  const open = ({ agentId, conversationId }: ConversationPlace) => {
    if (stopped.signal.aborted) return;
    main.show();
    const place = { agent_id: agentId, conversation_id: conversationId };
    sendEvent(windows.main, "conversation.shown", place);
  };
  return { host, open };
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
        for (const card of arrived) announce(card, consent.bringUp, parts.signal);
      }
    } else if (name === "settings.changed") {
      parts.tray?.relabel(textsFor(event as Events["settings.changed"]));
    }
  }, parts.signal);
}

function announce(card: ConsentCard, clicked: () => void, signal: AbortSignal): void {
  const wish = { ...requestAnnouncement(card), replaces: null, clicked };
  // A notification that cannot be shown takes nothing from the window that can.
  shownNotifications.show(wish, signal).catch(() => {});
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
