import { app, type BrowserWindow, nativeImage } from "electron";
import { BADGE_SIDE, drawBadge } from "./tray-icon.ts";

export interface Attention {
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
