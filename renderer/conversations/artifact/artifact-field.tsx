import { type ReactNode, useId, useState } from "react";
import { DatePicker, Input, Label, TextArea, TextField } from "react-aria-components";
import type { FieldFault, FieldValue } from "../../../app/contract/artifacts/answer.ts";
import type {
  ArtifactField,
  InputField,
  SelectField,
} from "../../../app/contract/artifacts/block.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { type Texts, useTexts } from "../../language.tsx";
import { Choice } from "../../parts/choice.tsx";
import { DateParts } from "../../parts/date-parts.tsx";
import { Tick } from "../../parts/tick.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { numberText } from "../../text/format.ts";
import { visibleString } from "../../text/visible-text.ts";
import { calendarDay, dayText, readNumber, twoMeanings } from "./typed-number.ts";

export function ArtifactFieldView(props: FieldProps<ArtifactField>) {
  const { field, fault, isMended } = props;
  const isAtFault = fault !== null && !isMended;
  const texts = useTexts();
  const id = useId();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it may hold a single field
    <div
      role="group"
      className="artifact-field"
      data-testid="artifact-field"
      data-key={field.key}
      data-fault={isAtFault ? fault : null}
      aria-describedby={isAtFault ? id : undefined}
    >
      <Entry {...props} />
      {fault === null ? null : (
        <p className="field-fault" id={id} data-mended={isMended}>
          {faultText(texts, props, fault)}
        </p>
      )}
    </div>
  );
}

function Entry(props: FieldProps<ArtifactField>) {
  const { field, ...rest } = props;
  switch (field.tag) {
    case "input":
      return <Entered {...rest} field={field} />;
    case "select":
      return field.multiple === true ? (
        <SeveralOf {...rest} field={field} />
      ) : (
        <OneOf {...rest} field={field} />
      );
    case "checkbox":
      return (
        <Tick
          on={rest.value === true}
          isDisabled={rest.isDisabled}
          onChange={rest.onChange}
          testId="artifact-tick"
        >
          <FieldName field={field} />
        </Tick>
      );
  }
}

type Filled = Pick<FieldProps<ArtifactField>, "field" | "value">;

function faultText({ t, language }: Texts, { field, value }: Filled, fault: FieldFault): string {
  const limit = (side: "min" | "max" | "max_length"): string => {
    const most: unknown = field.tag === "input" ? Reflect.get(field, side) : undefined;
    if (typeof most === "number") return numberText(language, most, false);
    return typeof most === "string" ? dayText(language, most) : "";
  };
  switch (fault) {
    case "too_low":
      return t("artifact.fault.too_low", { limit: limit("min") });
    case "too_high":
      return t("artifact.fault.too_high", { limit: limit("max") });
    case "too_long": {
      const most = numberText(language, LIMITS.artifactTextChars);
      return t("artifact.fault.too_long", { limit: limit("max_length") || most });
    }
    case "wrong_type": {
      const meanings = typeof value === "string" ? twoMeanings(value) : null;
      if (meanings !== null) return t("artifact.fault.two_numbers", meanings);
      const isNumber = field.tag === "input" && field.variant === "number";
      return t(`artifact.fault.${isNumber ? "not_a_number" : "wrong_type"}`);
    }
    case "required":
      return t(`artifact.fault.${field.tag === "checkbox" ? "unticked" : "required"}`);
    case "not_an_option":
      return t("artifact.fault.not_an_option");
  }
}

/** Stands for no choice, and is no option's value: those have at least one character. */
const NONE = "";

function OneOf({ field, value, isDisabled, onChange }: FieldProps<SelectField>) {
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

function SeveralOf({ field, value, isDisabled, onChange }: FieldProps<SelectField>) {
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

type EntryProps = FieldProps<InputField>;

function Entered(props: EntryProps) {
  const { field, value, onChange } = props;
  const text = typeof value === "string" ? value : "";
  if (field.variant === "number") return <NumberEntry {...props} />;
  if (field.variant === "date") {
    return (
      <DayField
        {...stateOf(props)}
        label={<FieldName field={field} />}
        day={text === "" ? null : text}
        onChange={onChange}
      />
    );
  }
  return (
    <TextEntry {...props} text={text} onText={(typed) => onChange(typed === "" ? null : typed)} />
  );
}

/** One number can be written in several ways: what was typed stays as long as it is the value. */
function NumberEntry(props: EntryProps) {
  const { value, onChange } = props;
  const { language } = useTexts();
  const [typed, setTyped] = useState("");
  const written = typeof value === "number" ? numberText(language, value, false) : (value ?? "");
  const type = (text: string): void => {
    setTyped(text);
    onChange(readNumber(text));
  };
  const text = readNumber(typed) === (value ?? null) ? typed : String(written);
  return <TextEntry {...props} text={text} onText={type} />;
}

interface TextEntryProps extends EntryProps {
  readonly text: string;
  readonly onText: (text: string) => void;
}

function TextEntry({ text, onText, ...props }: TextEntryProps) {
  const { field } = props;
  return (
    <TextField {...stateOf(props)} className="artifact-entry" value={text} onChange={onText}>
      <Label>
        <FieldName field={field} />
      </Label>
      {field.variant === "textarea" ? (
        <TextArea data-testid="artifact-input" dir="auto" rows={3} />
      ) : (
        <Input
          type="text"
          inputMode={field.variant === "number" ? "decimal" : "text"}
          data-testid="artifact-input"
          dir="auto"
          autoComplete="off"
        />
      )}
    </TextField>
  );
}

const stateOf = ({ isDisabled, fault, isMended }: EntryProps) => ({
  isDisabled,
  isInvalid: fault !== null && !isMended,
});

interface DayFieldProps {
  readonly label: ReactNode;
  /** YYYY-MM-DD; null: none yet. */
  readonly day: string | null;
  readonly isDisabled: boolean;
  readonly isInvalid: boolean;
  readonly onChange: (day: string | null) => void;
}

/** A day, in the order of the person's language. */
function DayField({ label, day, onChange, ...state }: DayFieldProps) {
  return (
    <DatePicker
      {...state}
      className="artifact-entry"
      granularity="day"
      value={day === null ? null : calendarDay(day)}
      onChange={(value) => onChange(value?.toString() ?? null)}
    >
      <DateParts label={label} testId="artifact-date" />
    </DatePicker>
  );
}

interface FieldProps<F extends ArtifactField> {
  readonly field: F;
  readonly value: FieldValue | undefined;
  readonly fault: FieldFault | null;
  /** The value stands right now, whatever it was when `fault` was found. */
  readonly isMended: boolean;
  readonly isDisabled: boolean;
  /** Null: the field is empty. */
  readonly onChange: (value: FieldValue | null) => void;
}

/** Marked where something must be entered. */
function FieldName({ field }: { readonly field: ArtifactField }) {
  const { t } = useTexts();
  return (
    <span>
      <VisibleText text={field.label} />
      {field.required === true ? (
        <span className="muted"> {t("artifact.required_mark")}</span>
      ) : null}
    </span>
  );
}
