import { type BrowserWindow, type IpcMainInvokeEvent, ipcMain, powerMonitor } from "electron";
import type { CallReply } from "../../app/bridge/client-bridge.ts";
import { CONSENT_WINDOW_EVENTS, type EventName, type Events } from "../../app/bridge/events.ts";
import type { ClientProgram } from "../client/host-port.ts";
import type { UnlockedMs } from "../dbus/screen-lock.ts";
import { CALLS_OF, type SenderFacts, senderKind, type WindowKind } from "./app-pages.ts";
import { watchSight } from "./window-sight.ts";

/** The only two channels; the preloads use the same names. */
const CALL_CHANNEL = "consentry:call";
const EVENT_CHANNEL = "consentry:event";

export type Windows = Readonly<Record<WindowKind, BrowserWindow>>;

/** Answers the windows' calls and sends them events, until `signal` aborts. */
export function connectWindows(
  windows: Windows,
  program: Pick<ClientProgram, "answer" | "subscribe">,
  unlockedMs: UnlockedMs,
  signal: AbortSignal,
): void {
  const kinds = new Map<number, WindowKind>([
    [windows.main.webContents.id, "main"],
    [windows.consent.webContents.id, "consent"],
  ]);
  const now = () => performance.now();
  const sightOf = (window: BrowserWindow) =>
    watchSight({ window, powerMonitor, unlockedMs, now, signal });
  const sights = { main: sightOf(windows.main), consent: sightOf(windows.consent) };
  ipcMain.handle(CALL_CHANNEL, (event, name: unknown, args: unknown): Promise<CallReply> => {
    const kind = senderKind(factsOf(event), kinds);
    const allowed = kind === null ? [] : CALLS_OF[kind];
    const inSightMs = kind === null ? null : sights[kind]();
    return program.answer({ name, args, senderAllowed: kind !== null, allowed, inSightMs });
  });
  signal.addEventListener("abort", () => ipcMain.removeHandler(CALL_CHANNEL), { once: true });
  program.subscribe((name, event) => {
    sendEvent(windows.main, name, event);
    if (isConsentEvent(name)) sendEvent(windows.consent, name, event);
  }, signal);
}

function factsOf(event: IpcMainInvokeEvent): SenderFacts {
  const frame = event.senderFrame;
  const contentsId = event.sender.id;
  if (frame === null) return { contentsId, frame: null };
  const isMainFrame =
    frame.parent === null && frame.frameTreeNodeId === event.sender.mainFrame.frameTreeNodeId;
  return { contentsId, frame: { url: frame.url, isMainFrame } };
}

function isConsentEvent(name: EventName): boolean {
  return CONSENT_WINDOW_EVENTS.some((each) => each === name);
}

/** Sends nothing to a destroyed window. */
export function sendEvent<E extends EventName>(
  window: BrowserWindow,
  name: E,
  event: Events[E],
): void {
  if (!window.isDestroyed()) window.webContents.send(EVENT_CHANNEL, name, event);
}
