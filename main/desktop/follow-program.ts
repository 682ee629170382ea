import { app, type BrowserWindow, globalShortcut, Notification, screen } from "electron";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { Events } from "../../app/bridge/events.ts";
import type { Settings } from "../../app/contract/settings.ts";
import type { Translate } from "../../i18n/index.ts";
import { systemTexts } from "../client/bridge/host-state.ts";
import { newRequestsFinder, requestAnnouncement } from "../client/calls/announced-requests.ts";
import type { ClientProgram, RequestsWindow } from "../client/host-port.ts";
import type { NotificationText } from "../tools/platform/platform-services.ts";
import { type AppTray, drawAttention } from "./app-tray.ts";
import type { Windows } from "./bridge-ipc.ts";
import { shownNotifications } from "./electron-services.ts";
import { type NotificationButton, requestButtons } from "./shown-notifications.ts";
import { isSameInTray, type TrayState, withCall } from "./tray-menu.ts";

/** The part of the program's state that the desktop shows. */
export interface DesktopState
  extends Pick<Settings, "language" | "notifications" | "shortcut">,
    TrayState {}

export const textsFor = ({ language }: Pick<Settings, "language">) =>
  systemTexts(language, app.getPreferredSystemLanguages());

/**
 * Updates everything around the pages when the program changes: windows, tray, icon, notifications.
 */
export function followProgram(parts: {
  readonly program: ClientProgram;
  readonly windows: Windows;
  readonly tray: AppTray | null;
  readonly state: DesktopState;
  readonly signal: AbortSignal;
}): RequestsWindow {
  let { state } = parts;
  const become = (next: Partial<DesktopState>) => {
    state = { ...state, ...next };
    parts.tray?.show(textsFor(state), state);
  };
  /** They change at each call, and a menu that is rebuilt closes where it is open. */
  const agentsChanged = (agents: readonly AgentDetails[]) => {
    if (isSameInTray(textsFor(state), agents, state.agents)) state = { ...state, agents };
    else become({ agents });
  };
  become({});
  const consent = keepConsentWindow(parts.windows.consent);
  const shortcut = requestShortcut(consent.show, (keys) => {
    if (keys === null) parts.program.settle("shortcut_taken");
    else parts.program.notify({ code: "shortcut_taken", params: { keys } });
  });
  shortcut.use(state.shortcut);
  parts.signal.addEventListener("abort", shortcut.end, { once: true });
  const attention = drawAttention(parts.windows.main, () => textsFor(state)("desktop.waiting"));
  const newOnes = newRequestsFinder();
  /** Denials that could be taken back a moment ago: a request that returns is not announced again. */
  let denials: Events["denials.changed"] = [];
  const announceAll = (t: Translate, cards: readonly ConsentCard[]) => {
    if (!Notification.isSupported()) return;
    for (const card of cards) {
      const buttons = requestButtons(t, card, parts.program, consent.show);
      announce(requestAnnouncement(t, card), buttons, consent.show, parts.signal);
    }
  };
  parts.program.subscribe((name, event) => {
    // The type of `event` follows from `name`, which the compiler cannot know here.
    if (name === "consents.changed") {
      const cards = event as Events["consents.changed"];
      const arrived = newOnes(cards).filter(
        ({ request_id }) => !denials.some(({ card }) => card.request_id === request_id),
      );
      consent.waiting(cards.length, arrived.length > 0, parts.program.held());
      attention.waiting(cards.length, arrived.length > 0);
      if (cards.length !== state.waiting) become({ waiting: cards.length });
      if (state.notifications) announceAll(textsFor(state), arrived);
    } else if (name === "denials.changed") {
      denials = event as Events["denials.changed"];
      consent.waiting(parts.program.waiting(), false, denials.length);
    } else if (name === "settings.changed") {
      const settings = event as Events["settings.changed"];
      const { language, notifications, profile } = settings;
      shortcut.use(settings.shortcut);
      become({ language, notifications, profile, shortcut: settings.shortcut });
    } else if (name === "agents.changed") {
      agentsChanged(event as Events["agents.changed"]);
    } else if (name === "paused.changed") {
      become({ paused: (event as Events["paused.changed"]).paused });
    } else if (name === "activity.changed") {
      become({ calls: withCall(state.calls, event as Events["activity.changed"]) });
    }
  }, parts.signal);
  return consent;
}

function announce(
  text: NotificationText,
  buttons: readonly NotificationButton[],
  clicked: () => void,
  signal: AbortSignal,
): void {
  const { title, body, replaces } = text;
  const wish = { title, body, replaces, buttons, clicked };
  // If a notification cannot be shown, the window still is.
  shownNotifications.show(wish, signal).catch(() => {});
}

interface RequestShortcut {
  /** From now on these keys, or none. */
  use(keys: Settings["shortcut"]): void;
  end(): void;
}

/**
 * Keys that bring up what waits, whichever program has the keyboard. They only show it: answering takes
 * the card.
 *
 * @param taken another program has these keys; null: none of them are taken any more
 */
function requestShortcut(
  pressed: () => void,
  taken: (keys: Settings["shortcut"]) => void,
): RequestShortcut {
  let used: Settings["shortcut"] = null;
  const end = () => {
    if (used !== null) globalShortcut.unregister(used);
    used = null;
  };
  return {
    use(keys) {
      if (keys === used) return;
      end();
      taken(null);
      if (keys === null) return;
      if (globalShortcut.register(keys, pressed)) used = keys;
      else taken(keys);
    },
    end,
  };
}

/** Distance between the window and the edges of the screen, in pixels. */
const MARGIN = 24;

interface ConsentWindow extends RequestsWindow {
  /**
   * @param arrived true if a request arrived that was not waiting before
   * @param held denials that can still be taken back; while only these are left, the window stays
   */
  waiting(count: number, arrived: boolean, held: number): void;
}

/**
 * Comes to the front without taking the focus from what the person is typing in, and disappears
 * when nothing is waiting. Closing it answers nothing.
 */
export function keepConsentWindow(window: BrowserWindow): ConsentWindow {
  window.on("close", (event) => {
    event.preventDefault();
    window.hide();
  });
  let waits = 0;
  return {
    waiting(count, arrived, held) {
      waits = count + held;
      if (waits === 0) window.hide();
      else if (count === 0 && window.isFocused()) {
        // Hiding gives the keyboard back to what the person was typing in.
        window.hide();
        window.showInactive();
      } else if (arrived && !window.isVisible()) {
        placeInCorner(window);
        window.showInactive();
      }
    },
    // The person asked for it, so it takes the focus.
    show() {
      if (waits > 0 && !window.isDestroyed()) window.show();
    },
    putOff: () => window.hide(),
  };
}

/** On the screen that the person is using, in its corner. */
function placeInCorner(window: BrowserWindow): void {
  const { workArea } = screen.getDisplayNearestPoint(screen.getCursorScreenPoint());
  const { width } = window.getBounds();
  window.setPosition(workArea.x + workArea.width - width - MARGIN, workArea.y + MARGIN);
}
