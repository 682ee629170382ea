import { useEffect, useEffectEvent, useId, useState } from "react";
import { CONSENT_TIMEOUT } from "../../app/contract/settings.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";

const LEAST = CONSENT_TIMEOUT.minimum / 1000;
const MOST = CONSENT_TIMEOUT.maximum / 1000;
/** A number is sent only after typing has paused, in milliseconds. */
const REST_MS = 600;

/** The seconds in a text; null if the contract does not allow them. */
export function allowedSeconds(text: string): number | null {
  const seconds = /^\d{1,4}$/.test(text.trim()) ? Number(text) : Number.NaN;
  return seconds >= LEAST && seconds <= MOST ? seconds : null;
}

export function TimeoutSetting() {
  const { t } = useTexts();
  const act = useAct();
  const id = useId();
  const { settings } = useSnapshot();
  const kept = String(settings.consent_timeout_ms / 1000);
  const [typed, setTyped] = useState(kept);
  useEffect(() => setTyped(kept), [kept]);
  const seconds = allowedSeconds(typed);
  const isNew = seconds !== null && String(seconds) !== kept;
  const save = async (): Promise<void> => {
    if (!isNew) return;
    const isSaved = await act("settings.set", { ...settings, consent_timeout_ms: seconds * 1000 });
    if (!isSaved) setTyped(kept);
  };
  const rested = useEffectEvent(save);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each number rests anew
  useEffect(() => {
    if (!isNew) return;
    const timer = setTimeout(() => void rested(), REST_MS);
    return () => clearTimeout(timer);
  }, [isNew, seconds]);
  return (
    <div className="setting">
      <label htmlFor={id}>{t("settings.timeout")}</label>
      <div>
        <span className="with-unit">
          <input
            id={id}
            type="number"
            inputMode="numeric"
            min={LEAST}
            max={MOST}
            step={5}
            data-testid="settings-timeout"
            value={typed}
            aria-invalid={seconds === null}
            aria-describedby={`${id}-help`}
            onChange={(event) => setTyped(event.target.value)}
            onBlur={() => void save()}
          />
          {t("settings.timeout_unit")}
        </span>
        <p id={`${id}-help`} className={seconds === null ? "caution" : "muted"}>
          {seconds === null ? t("settings.timeout_invalid") : t("settings.timeout_help")}
        </p>
      </div>
    </div>
  );
}
