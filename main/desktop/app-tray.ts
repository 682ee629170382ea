import { Buffer } from "node:buffer";
import { Menu, type NativeImage, nativeImage, Tray } from "electron";
import type { Translate } from "../../i18n/index.ts";
import { drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";

export interface AppTray {
  show(t: Translate, paused: boolean): void;
  destroy(): void;
}

/** Null if this system has no tray. */
export function createAppTray(parts: {
  readonly open: () => void;
  readonly pause: (paused: boolean) => void;
  readonly quit: () => void;
}): AppTray | null {
  const tray = newTray();
  if (tray === null) return null;
  tray.on("click", parts.open);
  return {
    show(t, paused) {
      tray.setImage(iconOf(paused));
      tray.setToolTip(t(paused ? "desktop.tooltip_paused" : "app.name"));
      tray.setContextMenu(
        Menu.buildFromTemplate([
          { label: t("desktop.open"), click: parts.open },
          {
            label: t(paused ? "paused.resume" : "paused.pause"),
            click: () => parts.pause(!paused),
          },
          { type: "separator" },
          { label: t("desktop.quit"), click: parts.quit },
        ]),
      );
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
