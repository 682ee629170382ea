import { useState } from "react";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { reportAbilities } from "../page-abilities.ts";
import { notificationPermission } from "../page-notifications.ts";

/** Only the browser can say whether its page may show notifications; it wants a click for it. */
export function NotificationSetting() {
  const { t } = useTexts();
  const { bridge } = useHost();
  const [permission, setPermission] = useState(notificationPermission);
  const ask = async (): Promise<void> => {
    await Notification.requestPermission();
    setPermission(notificationPermission());
    void reportAbilities(bridge);
  };
  return (
    <div className="setting">
      <span>{t("settings.notifications")}</span>
      {permission === "default" ? (
        <button type="button" data-testid="settings-notifications" onClick={() => void ask()}>
          {t("settings.notifications_allow")}
        </button>
      ) : (
        <span className="muted">{t(`settings.notifications_${permission}`)}</span>
      )}
    </div>
  );
}
