import { useId } from "react";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";

export function PauseSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { paused } = useSnapshot();
  return (
    <SwitchSetting
      name="pause"
      label={t("paused.pause")}
      help={t("paused.help")}
      on={paused}
      choose={(on) => void act("agents.pause", { paused: on })}
    />
  );
}

/** Only where the host can arrange it. */
export function LoginStartSetting() {
  const { t } = useTexts();
  const act = useAct();
  const { login_start } = useSnapshot();
  if (login_start === null) return null;
  return (
    <SwitchSetting
      name="login-start"
      label={t("settings.login_start")}
      help={t("settings.login_start_help")}
      on={login_start === "on"}
      choose={(on) => void act("login_start.set", { on })}
    />
  );
}

function SwitchSetting(props: {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly on: boolean;
  readonly choose: (on: boolean) => void;
}) {
  const id = useId();
  return (
    <div className="setting">
      <label htmlFor={id}>{props.label}</label>
      <div className="setting-switch">
        <input
          type="checkbox"
          role="switch"
          className="switch"
          id={id}
          aria-describedby={`${id}-help`}
          data-testid={`settings-${props.name}`}
          checked={props.on}
          aria-checked={props.on}
          onChange={(event) => props.choose(event.target.checked)}
        />
        <p className="muted" id={`${id}-help`}>
          {props.help}
        </p>
      </div>
    </div>
  );
}
