/** What the browser says about notifications; "absent" where it has none. */
export const notificationPermission = (): NotificationPermission | "absent" =>
  "Notification" in window ? Notification.permission : "absent";

export interface PageNotification {
  readonly title: string;
  readonly body: string;
  /** Takes the place of the one shown under the same name; null: of none. */
  readonly replaces: string | null;
}

/** False when the browser shows none. A click brings this page to the front. */
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
