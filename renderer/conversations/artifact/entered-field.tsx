import { Input, Label, NumberField, TextArea, TextField } from "react-aria-components";
import type { InputField } from "../../../app/contract/artifacts/block.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { DayField } from "./day-field.tsx";
import { FieldName, type FieldProps } from "./field-parts.tsx";

/** A text, a number or a day. */
export function Entered({
  field,
  value,
  fault,
  isMended,
  isDisabled,
  onChange,
}: FieldProps<InputField>) {
  const state = { isDisabled, isInvalid: fault !== null && !isMended };
  if (field.variant === "date") {
    return (
      <DayField
        {...state}
        label={<FieldName field={field} />}
        day={typeof value === "string" ? value : null}
        onChange={onChange}
      />
    );
  }
  if (field.variant === "number") {
    return (
      <NumberField
        {...state}
        className="artifact-entry"
        // An own limit would change what was entered without a word.
        formatOptions={{ maximumFractionDigits: 15, useGrouping: false }}
        value={typeof value === "number" ? value : Number.NaN}
        onChange={(number) => onChange(Number.isFinite(number) ? number : null)}
      >
        <Label>
          <FieldName field={field} />
        </Label>
        <Input type="text" data-testid="artifact-input" />
      </NumberField>
    );
  }
  return (
    <TextField
      {...state}
      className="artifact-entry"
      value={typeof value === "string" ? value : ""}
      maxLength={field.max_length ?? LIMITS.artifactTextChars}
      onChange={(text) => onChange(text === "" ? null : text)}
    >
      <Label>
        <FieldName field={field} />
      </Label>
      {field.variant === "textarea" ? (
        <TextArea data-testid="artifact-input" dir="auto" rows={3} />
      ) : (
        <Input type="text" data-testid="artifact-input" dir="auto" autoComplete="off" />
      )}
    </TextField>
  );
}
