import { Buffer } from "node:buffer";
import { Menu, nativeImage, Tray } from "electron";
import type { Translate } from "../../i18n/index.ts";
import { drawTrayIcon, TRAY_ICON_SIDE } from "./tray-icon.ts";

export interface AppTray {
  relabel(t: Translate): void;
  destroy(): void;
}

/** Null where this system has no tray. */
export function createAppTray(parts: {
  readonly texts: Translate;
  readonly open: () => void;
  readonly quit: () => void;
}): AppTray | null {
  const tray = newTray();
  if (tray === null) return null;
  const relabel = (t: Translate) =>
    tray.setContextMenu(
      Menu.buildFromTemplate([
        { label: t("desktop.open"), click: parts.open },
        { type: "separator" },
        { label: t("desktop.quit"), click: parts.quit },
      ]),
    );
  tray.setToolTip("Consentry");
  tray.on("click", parts.open);
  relabel(parts.texts);
  return { relabel, destroy: () => tray.destroy() };
}

function newTray(): Tray | null {
  const size = { width: TRAY_ICON_SIDE, height: TRAY_ICON_SIDE };
  const icon = nativeImage.createFromBitmap(Buffer.from(drawTrayIcon()), {
    ...size,
    scaleFactor: 2,
  });
  try {
    return new Tray(icon);
  } catch {
    return null;
  }
}
