import { useId } from "react";
import type { SelectField } from "../../../app/contract/artifacts/block.ts";
import { useTexts } from "../../language.tsx";
import { Choice } from "../../parts/choice.tsx";
import { Tick } from "../../parts/tick.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { visibleString } from "../../text/visible-text.ts";
import { FieldName, type FieldProps } from "./field-parts.tsx";

/** Stands for no choice, and is no option's value: those have at least one character. */
const NONE = "";

export function OneOf({ field, value, isDisabled, onChange }: FieldProps<SelectField>) {
  const { t } = useTexts();
  const none = { word: NONE, label: t("artifact.no_choice") };
  const options = field.options.map((option) => ({
    word: option.value,
    label: visibleString(option.label),
  }));
  return (
    <Choice
      className="artifact-entry"
      testId="artifact-select"
      label={<FieldName field={field} />}
      placeholder={t("artifact.choose")}
      isDisabled={isDisabled}
      chosen={typeof value === "string" ? value : null}
      options={field.required === true ? options : [none, ...options]}
      onChoose={(word) => onChange(word === NONE ? null : word)}
    />
  );
}

export function SeveralOf({ field, value, isDisabled, onChange }: FieldProps<SelectField>) {
  const id = useId();
  const chosen = new Set(Array.isArray(value) ? value : []);
  const turn = (option: string, on: boolean): void => {
    const wanted = (each: string) => (each === option ? on : chosen.has(each));
    const next = field.options.map((each) => each.value).filter(wanted);
    onChange(next.length === 0 ? null : next);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: its name is drawn like that of other fields
    <div role="group" className="artifact-ticks" aria-labelledby={id}>
      <span id={id}>
        <FieldName field={field} />
      </span>
      {field.options.map((option) => (
        <Tick
          key={option.value}
          on={chosen.has(option.value)}
          isDisabled={isDisabled}
          onChange={(on) => turn(option.value, on)}
          testId="artifact-tick"
        >
          <VisibleText text={option.label} />
        </Tick>
      ))}
    </div>
  );
}
