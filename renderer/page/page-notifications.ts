/** The browser's permission for notifications; "absent" if it has none. */
export const notificationPermission = (): NotificationPermission | "absent" =>
  "Notification" in window ? Notification.permission : "absent";

export interface PageNotification {
  readonly title: string;
  readonly body: string;
  /** The name of an earlier notification that this one replaces; null: none. */
  readonly replaces: string | null;
}

/** False if the browser shows none. A click brings this page to the front. */
export function showNotification(shown: PageNotification, clicked: () => void): boolean {
  if (notificationPermission() !== "granted") return false;
  const { title, body, replaces } = shown;
  const notification = new Notification(
    title,
    replaces === null ? { body } : { body, tag: replaces },
  );
  notification.onclick = () => {
    notification.close();
    window.focus();
    clicked();
  };
  return true;
}
