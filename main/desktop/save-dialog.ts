import { join } from "node:path";
import { app, BrowserWindow, dialog, type SaveDialogOptions } from "electron";
import type { OpenSaveDialog } from "./save-file.ts";

/** Attached to the window with the focus, from which the person asked. */
export const openSaveDialog: OpenSaveDialog = async (name) => {
  const options: SaveDialogOptions = {
    defaultPath: join(app.getPath("downloads"), name),
    properties: ["createDirectory", "showOverwriteConfirmation"],
  };
  const asking = BrowserWindow.getFocusedWindow();
  const { canceled, filePath } = await (asking === null
    ? dialog.showSaveDialog(options)
    : dialog.showSaveDialog(asking, options));
  return canceled || filePath === "" ? null : filePath;
};
