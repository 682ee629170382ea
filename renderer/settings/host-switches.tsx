import { type ReactNode, useId } from "react";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { OnOff } from "../parts/tick.tsx";

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

/** What is kept: in the log, what calls were about; of files, what they held before agents changed them. */
export function KeepingSetting({ of }: { readonly of: "log_targets" | "keep_files" }) {
  const { t } = useTexts();
  const act = useAct();
  const { settings } = useSnapshot();
  return (
    <SwitchSetting
      name={of.replace("_", "-")}
      label={t(`settings.${of}`)}
      help={t(`settings.${of}_help`)}
      on={settings[of]}
      choose={(on) => void act("settings.set", { ...settings, [of]: on })}
    />
  );
}

/** Shown only if the host supports it. */
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

export function SwitchSetting(props: {
  readonly name: string;
  readonly label: string;
  readonly help: string;
  readonly on: boolean;
  readonly choose: (on: boolean) => void;
  readonly isDisabled?: boolean;
  /** More content below the switch. */
  readonly children?: ReactNode;
}) {
  const id = useId();
  const setting = (
    <OnOff
      className="setting"
      on={props.on}
      onChange={props.choose}
      isDisabled={props.isDisabled ?? false}
      testId={`settings-${props.name}`}
      labelledBy={id}
      describedBy={`${id}-help`}
      before={
        <span id={id} className="setting-name">
          {props.label}
        </span>
      }
    >
      <span className="muted" id={`${id}-help`}>
        {props.help}
      </span>
    </OnOff>
  );
  if (props.children === undefined || props.children === null) return setting;
  return (
    <div className="setting-group">
      {setting}
      {props.children}
    </div>
  );
}
