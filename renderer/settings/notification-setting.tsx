import { useState } from "react";
import { useAct, useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { reportAbilities } from "../page/page-abilities.ts";
import { notificationPermission } from "../page/page-notifications.ts";
import { SwitchSetting } from "./host-switches.tsx";

/** On or off for the whole program; in a browser, also what the browser allows this page. */
export function NotificationSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { settings, host } = useSnapshot();
  const browser = useBrowserPermission();
  const choose = (notifications: boolean): void => {
    // Browsers require a click by the person, and this is one.
    if (notifications && host === "browser") void browser.ask();
    void act("settings.set", { ...settings, notifications });
  };
  return (
    <SwitchSetting
      name="notifications"
      label={t("settings.notifications")}
      help={t("settings.notifications_help")}
      on={settings.notifications}
      choose={choose}
    >
      {host === "browser" && settings.notifications ? <BrowserPermission {...browser} /> : null}
    </SwitchSetting>
  );
}

interface Permission {
  readonly permission: ReturnType<typeof notificationPermission>;
  readonly ask: () => Promise<void>;
}

function useBrowserPermission(): Permission {
  const { bridge } = useHost();
  const [permission, setPermission] = useState(notificationPermission);
  return {
    permission,
    async ask() {
      if (notificationPermission() !== "default") return;
      await Notification.requestPermission();
      setPermission(notificationPermission());
      await reportAbilities(bridge);
    },
  };
}

function BrowserPermission({ permission, ask }: Permission) {
  const { t } = useTexts();
  return (
    <div className="setting-more" data-testid="settings-notifications-browser">
      <p className={permission === "denied" ? "caution" : "muted"} role="status">
        {t(`settings.notifications_${permission}`)}
      </p>
      {permission === "default" ? (
        <button type="button" data-testid="settings-notifications-ask" onClick={() => void ask()}>
          {t("settings.notifications_ask")}
        </button>
      ) : null}
    </div>
  );
}
