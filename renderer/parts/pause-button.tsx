import { Button } from "react-aria-components";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Icon } from "./icon.tsx";

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
