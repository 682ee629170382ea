import { fileURLToPath } from "node:url";
import { app, session } from "electron";
import type { ActivityPage, Snapshot } from "../../app/bridge/views.ts";
import { IMPORT_LINK } from "../../app/contract/own-data.ts";
import type { ClientProgram, HostParts, RequestsWindow, RunningHost } from "../client/host-port.ts";
import { readRendererFiles } from "../client/launch/renderer-files.ts";
import type { UnlockedMs } from "../dbus/screen-lock.ts";
import { systemLocation } from "../tools/platform/location/system-location.ts";
import type { ConversationPlace } from "../tools/platform/platform-services.ts";
import { linkOpener, PAGE_URLS, type WindowKind } from "./app-pages.ts";
import { createAppTray } from "./app-tray.ts";
import { connectWindows, sendEvent, type Windows } from "./bridge-ipc.ts";
import { commandForOthers, loginStart } from "./command-line.ts";
import {
  electronServices,
  openSaveDialog,
  setAppMenu,
  startUtilityProgram,
  systemVault,
} from "./electron-services.ts";
import { saveFile } from "./folder-dialog.ts";
import { type DesktopState, followProgram, textsFor } from "./follow-program.ts";
import { guardPermissions, type MicrophoneGate, microphoneGate } from "./microphone.ts";
import {
  keepMainWindow,
  keepWindowPlace,
  lastWindowPlace,
  openWindow,
  serveAppScheme,
} from "./open-window.ts";
import { ask } from "./shown-notifications.ts";
import { CALLS_IN_TRAY } from "./tray-menu.ts";
import type { WindowPlace } from "./window-place.ts";

export interface DesktopHostOptions {
  /** Folder of the built renderer. */
  readonly rendererDir: URL;
  /** Folder of the built preloads. */
  readonly preloadDir: URL;
  /** The built worker that finds locations. */
  readonly locationWorker: URL;
  /** Watches the screen lock until `signal` aborts. */
  readonly screenLock: (signal: AbortSignal) => UnlockedMs;
  /** As given by the person at start; null: the default folder. */
  readonly dataDir: string | null;
  readonly updates: Pick<HostParts, "updates" | "startGuard">;
  /** Called when the person wants the program to end. */
  readonly quit: () => void;
  readonly links: EarlyLinks;
}

/** The Electron host. Create it once Electron is ready. */
export function desktopHostParts(options: DesktopHostOptions): HostParts {
  const starting = loginStart(options.dataDir);
  const microphone = microphoneGate(() => performance.now());
  let opened: (place: ConversationPlace) => void = () => {};
  let requests: RequestsWindow | null = null;
  return {
    kind: "desktop",
    platform: electronServices({
      opened: (place) => opened(place),
      location: systemLocation({ workerUrl: options.locationWorker }),
    }),
    page: null,
    deliverFile: saveFile(openSaveDialog),
    microphone,
    requestsWindow: { show: () => requests?.show(), putOff: () => requests?.putOff() },
    keyVault: systemVault,
    ...(starting === null ? {} : { loginStart: starting }),
    ...options.updates,
    // Electron's executable is no Node.
    node: process.env.CONSENTRY_NODE ?? "node",
    ...(app.isPackaged ? { ownCommand: commandForOthers } : {}),
    startProgram: startUtilityProgram,
    async start(program) {
      const { host, open, requests: shown } = await startHost(options, program, microphone);
      opened = open;
      requests = shown;
      return host;
    },
  };
}

interface StartedHost {
  readonly host: RunningHost;
  readonly open: (place: ConversationPlace) => void;
  readonly requests: RequestsWindow;
}

/** @throws HostError */
async function startHost(
  options: DesktopHostOptions,
  program: ClientProgram,
  microphone: MicrophoneGate,
): Promise<StartedHost> {
  const files = await readRendererFiles(options.rendererDir);
  const state = await stateAtStart(program);
  setAppMenu(process.platform, textsFor(state));
  const stopped = new AbortController();
  // Not a persistent partition: nothing that a page stores outlives the program.
  const pages = session.fromPartition("consentry");

  guardPermissions(pages, microphone);
  serveAppScheme(pages, files);
  const preloadOf = (kind: WindowKind) => fileURLToPath(new URL(`${kind}.cjs`, options.preloadDir));
  const place = lastWindowPlace(program.memory);
  const made = (kind: WindowKind, at: WindowPlace | null) =>
    openWindow({ kind, session: pages, preload: preloadOf(kind), place: at });
  const windows: Windows = { main: made("main", place), consent: made("consent", null) };
  connectWindows(windows, program, options.screenLock(stopped.signal), stopped.signal);
  const tray = createAppTray({
    open: () => showAll(),
    bringUp: () => requests.show(),
    openActivity: () => followLink("consentry:open/activity"),
    pause: (paused) => void ask(program, "agents.pause", { paused }),
    chooseProfile: (profile) => void ask(program, "profile.set", { profile }),
    suspend: (agent_id, suspended) => void ask(program, "agents.suspend", { agent_id, suspended }),
    quit: options.quit,
  });
  const main = keepMainWindow(windows.main, {
    maximized: place?.maximized ?? false,
    hasTray: () => tray !== null,
    quit: options.quit,
  });
  const placeKept = keepWindowPlace(windows.main, program.memory);
  const requests = followProgram({ program, windows, tray, state, signal: stopped.signal });
  const showAll = () => {
    main.show();
    requests.show();
  };
  app.on("activate", showAll);
  const followLink = linkOpener(windows.main, main.show);
  options.links.follow(followLink, stopped.signal);
  const host: RunningHost = {
    ui: PAGE_URLS.main,
    raise(link = null) {
      followLink(link);
      requests.show();
      return PAGE_URLS.main;
    },
    async close() {
      stopped.abort();
      app.off("activate", showAll);
      tray?.destroy();
      await placeKept();
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
  return { host, open, requests };
}

async function stateAtStart(program: ClientProgram): Promise<DesktopState> {
  const reply = await ask(program, "app.snapshot", {});
  const log = await ask(program, "activity.page", { limit: CALLS_IN_TRAY });
  const calls = log.ok ? (log.result as ActivityPage).rows : [];
  if (!reply.ok) {
    return {
      language: null,
      notifications: true,
      shortcut: null,
      paused: false,
      profile: "everyday",
      waiting: 0,
      calls,
      agents: [],
    };
  }
  const { settings, paused, consents, agents } = reply.result as Snapshot;
  const { language, notifications, shortcut, profile } = settings;
  const waiting = consents.length;
  return { language, notifications, shortcut, profile, paused, waiting, calls, agents };
}

/** Links, and files of ours, that macOS passes on by an event; the first one may come before there is a window. */
export interface EarlyLinks {
  /** From now on `open` gets each of them, at first the last one that came, until `signal` aborts. */
  follow(open: (link: string) => void, signal: AbortSignal): void;
}

/** Must be called before Electron is ready. Elsewhere a link or file is an argument of a start. */
export function collectLinks(): EarlyLinks {
  let kept: string | null = null;
  let pass = (link: string): void => {
    kept = link;
  };
  app.on("open-url", (event, link) => {
    event.preventDefault();
    pass(link);
  });
  app.on("open-file", (event) => {
    event.preventDefault();
    pass(IMPORT_LINK);
  });
  return {
    follow(open, signal) {
      pass = open;
      if (kept !== null) open(kept);
      signal.addEventListener("abort", () => {
        pass = () => {};
      });
    },
  };
}
