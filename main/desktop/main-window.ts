import type { BrowserWindow } from "electron";

export interface MainWindow {
  show(): void;
}

/**
 * The main window appears once it is drawn. Closing it keeps the program in the tray if there is
 * one; otherwise it ends the program, which the person could not find again.
 */
export function keepMainWindow(
  window: BrowserWindow,
  parts: {
    readonly maximized: boolean;
    readonly hasTray: () => boolean;
    readonly quit: () => void;
  },
): MainWindow {
  window.once("ready-to-show", () => {
    if (parts.maximized) window.maximize();
    window.show();
  });
  window.on("close", (event) => {
    event.preventDefault();
    if (parts.hasTray()) window.hide();
    else parts.quit();
  });
  return {
    show() {
      if (window.isMinimized()) window.restore();
      window.show();
      window.focus();
    },
  };
}
