import { PROFILES } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";

/** How much is asked, and what that means. */
export function ProfileSetting() {
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
