import { clipboard, Notification } from "electron";
import { ToolFailure } from "../../app/execution/ports.ts";
import type {
  ClipboardService,
  NotificationService,
  PlatformServices,
} from "../tools/platform-services.ts";

/** Clipboard and notifications as Electron has them. */
export function electronServices(): PlatformServices {
  return {
    clipboard: () => electronClipboard,
    notifications: () => (Notification.isSupported() ? electronNotifications : null),
  };
}

const electronClipboard: ClipboardService = {
  async read(signal) {
    signal.throwIfAborted();
    return await clipboard.readText();
  },
  async write(text, signal) {
    signal.throwIfAborted();
    await clipboard.writeText(text);
  },
};

const electronNotifications: NotificationService = {
  async show({ title, body }, signal) {
    signal.throwIfAborted();
    await showNotification({ title, body });
  },
};

/**
 * Resolves once the system took it.
 * @param onClick what a click on it does; nothing when left out
 * @throws ToolFailure `notification_error`
 */
export function showNotification(
  text: { readonly title: string; readonly body: string },
  onClick?: () => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const notification = new Notification(text);
    if (onClick !== undefined) notification.once("click", onClick);
    notification.once("show", () => resolve());
    notification.once("failed", () => reject(new ToolFailure("notification_error")));
    notification.show();
  });
}
