import { useId } from "react";
import { Input } from "react-aria-components";
import { Icon, IconButton } from "./icon.tsx";

interface PlainFieldProps {
  /** Read by screen readers, and shown while the field is empty. */
  readonly label: string;
  /** Whether the label stands above the field, also once something is typed. */
  readonly seenLabel?: boolean;
  readonly describedBy?: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** The id of a list of values that are offered. */
  readonly list?: string;
}

/** A field for a path or name, without autocorrection or reordering; the browser completes nothing by itself. */
export function PlainField(props: PlainFieldProps) {
  const { label, seenLabel = false, describedBy, testId, value, onChange, list } = props;
  const id = useId();
  return (
    <>
      <label {...(seenLabel ? {} : { className: "unseen" })} htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        type="text"
        dir="ltr"
        spellCheck={false}
        autoComplete="off"
        {...(list === undefined ? {} : { list })}
        {...(seenLabel ? {} : { placeholder: label })}
        aria-describedby={describedBy}
        data-testid={testId}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </>
  );
}

/** The inside of a search field: a sign, what is typed, and a button that empties it. */
export function FindInput({ hint, testId }: { readonly hint: string; readonly testId: string }) {
  return (
    <div className="find-input">
      <Icon name="search" />
      <Input data-testid={testId} placeholder={hint} spellCheck={false} autoComplete="off" />
      <IconButton icon="close" className="quiet" />
    </div>
  );
}
