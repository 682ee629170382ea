import { PROFILES } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "./choice.tsx";
import { Icon } from "./icon.tsx";

/** Above every page while more or less is asked than usual (contract §3), with the way back. */
export function ProfileBanner() {
  const { t } = useTexts();
  const act = useAct();
  const { profile } = useSnapshot().settings;
  return (
    <div role="status">
      {profile === "everyday" ? null : (
        <div className="notice" data-testid="profile-banner" data-profile={profile}>
          <Icon name="permissions" />
          <p>{t(`profile.means.${profile}`)}</p>
          <Choice
            className="access-select"
            label={t("profile.label")}
            unseenLabel
            chosen={profile}
            options={PROFILES.map((word) => ({ word, label: t(`profile.name.${word}`) }))}
            onChoose={(word) => void act("profile.set", { profile: word })}
            testId="profile-banner-choice"
          />
        </div>
      )}
    </div>
  );
}
