import { Menu } from "electron";

/**
 * Copying, zooming (accessibility) and what macOS expects. Electron's own menu would also reload
 * pages and lead to its web site.
 */
export function setAppMenu(platform: NodeJS.Platform): void {
  Menu.setApplicationMenu(
    Menu.buildFromTemplate([
      ...(platform === "darwin" ? [{ role: "appMenu" } as const] : []),
      { role: "editMenu" },
      {
        label: "View",
        submenu: [{ role: "resetZoom" }, { role: "zoomIn" }, { role: "zoomOut" }],
      },
      { role: "windowMenu" },
    ]),
  );
}
