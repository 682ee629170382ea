import { Menu } from "electron";
import type { Translate } from "../../i18n/index.ts";

/**
 * Copying, zooming (accessibility) and what macOS expects. Electron's own menu would also reload
 * pages and link to its web site.
 */
export function setAppMenu(platform: NodeJS.Platform, t: Translate): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(platform === "darwin" ? [{ role: "appMenu" } as const] : []),
      { role: "editMenu" },
      {
        label: t("desktop.view"),
        submenu: [{ role: "resetZoom" }, { role: "zoomIn" }, { role: "zoomOut" }],
      },
      { role: "windowMenu" },
    ]),
  );
}
