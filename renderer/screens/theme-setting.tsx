import { THEMES } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";

export function ThemeSetting() {
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
