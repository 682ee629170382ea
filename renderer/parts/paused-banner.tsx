import { Button } from "react-aria-components";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

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
