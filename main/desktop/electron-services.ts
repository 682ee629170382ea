import { BrowserWindow, dialog, Notification, type OpenDialogOptions } from "electron";
import type {
  ConversationPlace,
  LocationService,
  NotificationService,
  PlatformServices,
} from "../tools/platform/platform-services.ts";
import { electronClipboard, electronClipboardImages } from "./electron-clipboard.ts";
import { folderPicker } from "./folder-dialog.ts";
import { keepShownNotifications } from "./shown-notifications.ts";

export const shownNotifications = keepShownNotifications((text) => new Notification(text));

/** What Electron can do, and the system's location. */
export function electronServices(parts: {
  /** The person clicked on an agent's notification. */
  readonly opened: (place: ConversationPlace) => void;
  /** Electron has no location service for the main process. */
  readonly location: () => LocationService | null;
}): PlatformServices {
  const notifications: NotificationService = {
    show(text, signal) {
      const { title, body, replaces } = text;
      const clicked = () => parts.opened(text);
      return shownNotifications.show({ title, body, replaces, clicked }, signal);
    },
  };
  const folders = folderPicker(openFolderDialog);
  return {
    clipboard: () => electronClipboard,
    clipboardImages: () => electronClipboardImages,
    notifications: () => (Notification.isSupported() ? notifications : null),
    location: parts.location,
    folderPicker: () => folders,
  };
}

/** Attached to the window with the focus, from which the person asked. */
async function openFolderDialog(startAt: string | null): Promise<readonly string[]> {
  const options: OpenDialogOptions = {
    properties: ["openDirectory", "createDirectory"],
    ...(startAt === null ? {} : { defaultPath: startAt }),
  };
  const asking = BrowserWindow.getFocusedWindow();
  const { filePaths } = await (asking === null
    ? dialog.showOpenDialog(options)
    : dialog.showOpenDialog(asking, options));
  return filePaths;
}
