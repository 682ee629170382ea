import { useId } from "react";
import { HOOK_WAYS, type HookWay } from "../../app/contract/hook-way.ts";
import { useTexts } from "../language.tsx";

interface HookWayFieldProps {
  readonly way: HookWay;
  readonly onChange: (way: HookWay) => void;
}

/** How an agent with hooks asks here. */
export function HookWayField({ way, onChange }: HookWayFieldProps) {
  const { t } = useTexts();
  const name = useId();
  return (
    <fieldset className="hook-ways" data-testid="hook-way">
      <legend>{t("agents.hook_way.title")}</legend>
      {HOOK_WAYS.map((each) => (
        <label key={each}>
          <input
            type="radio"
            name={name}
            checked={each === way}
            onChange={() => onChange(each)}
            data-testid={`hook-way-${each}`}
          />
          <span>
            <strong>{t(`agents.hook_way.${each}`)}</strong>{" "}
            <span className="muted">{t(`agents.hook_way_means.${each}`)}</span>
          </span>
        </label>
      ))}
    </fieldset>
  );
}
