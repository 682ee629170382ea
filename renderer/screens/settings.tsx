import { LANGUAGES } from "../../app/contract/settings.ts";
import { LANGUAGE_NAMES } from "../../i18n/index.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { BackupSettings } from "../keys/backup.tsx";
import { useTexts } from "../language.tsx";
import { OwnDataSettings } from "../own-data/own-data-settings.tsx";
import { Choice } from "../parts/choice.tsx";
import { CopyLine } from "../parts/copy-line.tsx";
import { LoginStartSetting, PauseSetting } from "./host-switches.tsx";
import { ManagedSettings } from "./managed-settings.tsx";
import { NotificationSetting } from "./notification-setting.tsx";
import { ProfileSetting } from "./profile-setting.tsx";
import { ShortcutSetting } from "./shortcut-setting.tsx";
import { ThemeSetting } from "./theme-setting.tsx";
import { TimeoutSetting } from "./timeout-setting.tsx";
import { UpdateSettings } from "./update-settings.tsx";

export function SettingsPage() {
  const { t } = useTexts();
  const { hub_url, data_dir, version } = useSnapshot();
  return (
    <>
      <h1>{t("nav.settings")}</h1>
      <section className="card settings">
        <LanguageSetting />
        <ProfileSetting />
        <ThemeSetting />
        <TimeoutSetting />
        <PauseSetting />
        <LoginStartSetting />
        <NotificationSetting />
        <ShortcutSetting />
        <UpdateSettings />
      </section>
      <ManagedSettings />
      <BackupSettings />
      <OwnDataSettings />
      <h2>{t("settings.about")}</h2>
      <section className="card settings">
        <div className="setting">
          <span>{t("settings.hub")}</span>
          <CopyLine text={hub_url} />
        </div>
        <div className="setting">
          <span>{t("settings.data_dir")}</span>
          <CopyLine text={data_dir} />
        </div>
        <div className="setting">
          <span>{t("settings.version")}</span>
          <span className="mono">{version}</span>
        </div>
      </section>
    </>
  );
}

function LanguageSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { settings } = useSnapshot();
  return (
    <Choice
      className="setting"
      label={t("settings.language")}
      chosen={settings.language ?? "system"}
      options={[
        { word: "system" as const, label: t("settings.language_system") },
        ...LANGUAGES.map((word) => ({ word, label: LANGUAGE_NAMES[word], lang: word })),
      ]}
      onChoose={(word) =>
        void act("settings.set", { ...settings, language: word === "system" ? null : word })
      }
      testId="settings-language"
    />
  );
}
