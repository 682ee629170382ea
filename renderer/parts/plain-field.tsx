import { useId } from "react";

interface PlainFieldProps {
  /** Read by screen readers, and shown while the field is empty. */
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a path or name, without autocorrection, completion or reordering. */
export function PlainField({ label, testId, value, onChange }: PlainFieldProps) {
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
        placeholder={label}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}
