import { useId } from "react";
import { Button } from "react-aria-components";
import type { UpdatesView } from "../../app/bridge/views.ts";
import { UPDATE_CHANNELS } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { SwitchSetting } from "./host-switches.tsx";

/** Shown only where the program updates itself. */
export function UpdateSettings() {
  const { t } = useTexts();
  const act = useAct();
  const { settings, updates, policy } = useSnapshot();
  if (updates === null) return null;
  if (policy?.state === "applied" && policy.updates_off) {
    return (
      <SwitchSetting
        name="updates"
        label={t("settings.updates")}
        help={t("policy.updates_off")}
        on={false}
        choose={() => {}}
        isDisabled
      />
    );
  }
  return (
    <>
      <SwitchSetting
        name="updates"
        label={t("settings.updates")}
        help={t("settings.updates_help")}
        on={settings.updates}
        choose={(on) => void act("settings.set", { ...settings, updates: on })}
      >
        {settings.updates ? <UpdateState updates={updates} /> : null}
      </SwitchSetting>
      {settings.updates ? (
        <Choice
          className="setting"
          label={t("settings.update_channel")}
          chosen={settings.update_channel}
          options={UPDATE_CHANNELS.map((word) => ({
            word,
            label: t(`settings.update_channels.${word}`),
          }))}
          onChoose={(update_channel) => void act("settings.set", { ...settings, update_channel })}
          testId="settings-update-channel"
        />
      ) : null}
    </>
  );
}

function UpdateState({ updates }: { readonly updates: UpdatesView }) {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const { state, fault } = updates;
  return (
    <div className="setting-more" data-testid="settings-update-state" data-state={state}>
      <p id={id} className={fault === null ? "muted" : "caution"} role="status">
        <StateLine {...updates} />
      </p>
      {state === "idle" ? (
        <Button
          aria-describedby={id}
          data-testid="settings-update-look"
          onPress={() => void act("updates.look", {})}
        >
          {t("settings.update_look")}
        </Button>
      ) : null}
    </div>
  );
}

function StateLine({ state, version, fault, checked_at }: UpdatesView) {
  const { t } = useTexts();
  if (fault !== null) return t(`settings.update_faults.${fault}`);
  if (state === "idle" && checked_at === null) return t("settings.update_unchecked");
  return t(`settings.update_states.${state}`, { version: version ?? "" });
}
