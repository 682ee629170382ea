import { useState } from "react";
import { Input, Label, TextArea, TextField } from "react-aria-components";
import type { InputField } from "../../../app/contract/artifacts/block.ts";
import { useTexts } from "../../language.tsx";
import { numberText } from "../../text/number-text.ts";
import { DayField } from "./day-field.tsx";
import { FieldName, type FieldProps } from "./field-parts.tsx";
import { readNumber } from "./typed-number.ts";

type EntryProps = FieldProps<InputField>;

/** A text, a number or a day. */
export function Entered(props: EntryProps) {
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
