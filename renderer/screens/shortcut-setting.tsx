import { SHORTCUTS } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";

/** Only the desktop host can hear keys while another program has the keyboard. */
export function ShortcutSetting() {
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
