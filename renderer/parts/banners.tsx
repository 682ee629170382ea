import { Button } from "react-aria-components";
import { PROFILES } from "../../app/contract/settings.ts";
import { useAct, useShown, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "./choice.tsx";
import { Icon } from "./icon.tsx";

export function DisconnectedBanner() {
  const { t } = useTexts();
  const connection = useShown((shown) => shown.connection);
  const text = {
    connecting: null,
    connected: null,
    refused: null,
    removed: null,
    disconnected: t("connection.disconnected"),
    given_up: t("connection.given_up"),
  }[connection];
  return (
    // Announced and visible even beside a dialog.
    <div role="status" data-react-aria-top-layer="true">
      {text === null ? null : (
        <p className="disconnected" data-testid="disconnected-banner">
          <Icon name="unplugged" />
          {text}
        </p>
      )}
    </div>
  );
}

/** Above every page for as long as agents are paused (contract §3). */
export function PausedBanner() {
  const { t } = useTexts();
  const act = useAct();
  const { paused } = useSnapshot();
  return (
    <div role="status">
      {paused ? (
        <div className="notice paused" data-testid="paused-banner">
          <Icon name="pause" />
          <p>{t("paused.banner")}</p>
          <Button
            data-testid="paused-resume"
            onPress={() => void act("agents.pause", { paused: false })}
          >
            {t("paused.resume")}
          </Button>
        </div>
      ) : null}
    </div>
  );
}

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

/** Pauses all agents. While they are paused, the banner above has the button to resume. */
export function PauseButton() {
  const { t } = useTexts();
  const act = useAct();
  const { paused } = useSnapshot();
  if (paused) return null;
  return (
    <Button data-testid="pause-all" onPress={() => void act("agents.pause", { paused: true })}>
      <Icon name="pause" />
      {t("paused.pause")}
    </Button>
  );
}
