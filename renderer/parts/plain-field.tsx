import { useId } from "react";

interface PlainFieldProps {
  /** Read by screen readers, and shown while the field is empty. */
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The id of a list of values that are offered. */
  readonly list?: string;
}

/** A field for a path or name, without autocorrection or reordering; the browser completes nothing by itself. */
export function PlainField({ label, testId, value, onChange, list }: PlainFieldProps) {
  const id = useId();
  return (
    <>
      <label className="unseen" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        {...(list === undefined ? {} : { list })}
        placeholder={label}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
