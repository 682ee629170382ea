import { Buffer } from "node:buffer";
import { Menu, type NativeImage, nativeImage, Tray } from "electron";
import type { Translate } from "../../i18n/index.ts";
import { drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";
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
