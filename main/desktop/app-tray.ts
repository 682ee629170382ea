import { Buffer } from "node:buffer";
import { app, type BrowserWindow, Menu, type NativeImage, nativeImage, Tray } from "electron";
import type { Translate } from "../../i18n/index.ts";
import { BADGE_SIDE, drawBadge, drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";
import { type TrayActions, type TrayState, trayMenu } from "./tray-menu.ts";

export interface AppTray {
  show(t: Translate, state: TrayState): void;
  destroy(): void;
}

/** Null if this system has no tray. */
export function createAppTray(actions: TrayActions): AppTray | null {
  const tray = newTray();
  if (tray === null) return null;
  tray.on("click", actions.open);
  let pictured = false;
  return {
    show(t, state) {
      if (pictured !== state.paused) tray.setImage(iconOf(state.paused));
      pictured = state.paused;
      tray.setToolTip(t(state.paused ? "desktop.tooltip_paused" : "app.name"));
      tray.setContextMenu(Menu.buildFromTemplate(trayMenu(t, state, actions)));
    },
    destroy: () => tray.destroy(),
  };
}

function newTray(): Tray | null {
  try {
    return new Tray(iconOf(false));
  } catch {
    return null;
  }
}

function iconOf(paused: boolean): NativeImage {
  const size = { width: TRAY_ICON_SIDE, height: TRAY_ICON_SIDE };
  const pixels = Buffer.from(drawTrayIcon(paused));
  return nativeImage.createFromBitmap(pixels, { ...size, scaleFactor: 2 });
}

interface Attention {
  /** @param arrived true if a request arrived that was not waiting before */
  waiting(count: number, arrived: boolean): void;
}

/**
 * Shows the number of waiting requests on the program's icon (a dot on Windows, which cannot show
 * numbers), and flashes the taskbar entry until the person has looked.
 *
 * @param described the dot's text for screen readers
 */
export function drawAttention(main: BrowserWindow, described: () => string): Attention {
  const badge = Buffer.from(drawBadge());
  const dot = () => nativeImage.createFromBitmap(badge, { width: BADGE_SIDE, height: BADGE_SIDE });
  main.on("focus", () => main.flashFrame(false));
  return {
    waiting(count, arrived) {
      if (main.isDestroyed()) return;
      app.setBadgeCount(count);
      if (process.platform === "win32") {
        main.setOverlayIcon(count === 0 ? null : dot(), count === 0 ? "" : described());
      }
      if (count === 0) main.flashFrame(false);
      // A window in the tray has no taskbar entry, and one with the focus is already being looked
      // at.
      else if (arrived && main.isVisible() && !main.isFocused()) main.flashFrame(true);
    },
  };
}
