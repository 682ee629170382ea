import type { ReactNode } from "react";
import { LANGUAGES, PROFILES, SHORTCUTS, THEMES } from "../../app/contract/settings.ts";
import { LANGUAGE_NAMES } from "../../i18n/index.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { BackupSettings } from "../keys/backup.tsx";
import { useTexts } from "../language.tsx";
import { OwnDataSettings } from "../own-data/own-data-settings.tsx";
import { Choice } from "../parts/choice.tsx";
import { CopyLine } from "../parts/fact.tsx";
import { SensitivityBadge } from "../parts/scope-list.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { KeepingSetting, LoginStartSetting, PauseSetting } from "./host-switches.tsx";
import { HubSettings } from "./hub-settings.tsx";
import { NotificationSetting } from "./notification-setting.tsx";
import { TimeoutSetting } from "./time-limit.tsx";
import { UpdateSettings } from "./update-settings.tsx";

export function SettingsPage() {
  const { t } = useTexts();
  const { data_dir, version } = useSnapshot();
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
        <KeepingSetting of="log_targets" />
        <KeepingSetting of="keep_files" />
        <ShortcutSetting />
        <UpdateSettings />
      </section>
      <HubSettings />
      <ManagedSettings />
      <BackupSettings />
      <OwnDataSettings />
      <h2>{t("settings.about")}</h2>
      <section className="card settings">
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

function ThemeSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { settings } = useSnapshot();
  return (
    <Choice
      className="setting"
      label={t("settings.theme")}
      chosen={settings.theme}
      options={THEMES.map((word) => ({ word, label: t(`settings.theme_${word}`) }))}
      onChoose={(theme) => void act("settings.set", { ...settings, theme })}
      testId="settings-theme"
    />
  );
}

/** Only the desktop host can hear keys while another program has the keyboard. */
function ShortcutSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { settings, host } = useSnapshot();
  if (host !== "desktop") return null;
  return (
    <div className="setting-group">
      <Choice
        className="setting"
        label={t("settings.shortcut")}
        chosen={settings.shortcut ?? "none"}
        options={[
          { word: "none" as const, label: t("settings.shortcut_none") },
          ...SHORTCUTS.map((word) => ({ word, label: keysIn(word) })),
        ]}
        onChoose={(word) =>
          void act("settings.set", { ...settings, shortcut: word === "none" ? null : word })
        }
        testId="settings-shortcut"
      />
      <p className="muted setting-more">{t("settings.shortcut_help")}</p>
    </div>
  );
}

/** As they stand on the keyboard; a Mac's has others. */
const keysIn = (shortcut: string): string =>
  shortcut
    .replace("CommandOrControl", navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl")
    .replaceAll("+", " + ");

function ProfileSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { profile } = useSnapshot().settings;
  return (
    <Choice
      className="setting"
      label={t("profile.label")}
      chosen={profile}
      options={PROFILES.map((word) => ({ word, label: t(`profile.name.${word}`) }))}
      onChoose={(word) => void act("profile.set", { profile: word })}
      note={{ text: t(`profile.means.${profile}`), testId: "profile-means" }}
      testId="settings-profile"
    />
  );
}

function ManagedSettings() {
  const { t } = useTexts();
  const { policy } = useSnapshot();
  if (policy?.state !== "applied") return null;
  const { allowed_agents, denied_scopes, sensitivities, retention_days } = policy;
  return (
    <>
      <h2>{t("policy.title")}</h2>
      <section className="card settings" data-testid="managed-settings">
        <p>{t("policy.lede")}</p>
        {allowed_agents === null ? null : (
          <p>{t("policy.allowed_agents", { count: allowed_agents })}</p>
        )}
        <ScopeNames title={t("policy.denied_scopes")}>{denied_scopes.map(nameRow)}</ScopeNames>
        <ScopeNames title={t("policy.sensitivities")}>
          {sensitivities.map(({ scope, least }) => (
            <li key={scope}>
              <VisibleText within="span" className="mono" text={scope} />{" "}
              <SensitivityBadge level={least} />
            </li>
          ))}
        </ScopeNames>
        <ScopeNames title={t("policy.unknown_scopes")}>
          {policy.unknown_scopes.map(nameRow)}
        </ScopeNames>
        {policy.hub_managed ? <p>{t("policy.hub_managed")}</p> : null}
        {retention_days === null ? null : (
          <p>{t("policy.retention", { days: String(retention_days) })}</p>
        )}
        {policy.updates_off ? <p>{t("policy.updates_off")}</p> : null}
        <ScopeNames title={t("policy.file")}>{policy.files.map(nameRow)}</ScopeNames>
      </section>
    </>
  );
}

const nameRow = (name: string) => (
  <VisibleText within="li" key={name} className="mono" text={name} />
);

function ScopeNames(props: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (props.children.length === 0) return null;
  return (
    <div className="setting">
      <span>{props.title}</span>
      <ul>{props.children}</ul>
    </div>
  );
}
