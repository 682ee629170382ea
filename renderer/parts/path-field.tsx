import { type ComponentProps, useEffect, useId, useState } from "react";
import { PlainField } from "./plain-field.tsx";

/** The folders that begin like a text. */
export type CompleteFolder = (text: string) => Promise<readonly string[]>;

interface PathFieldProps extends Omit<ComponentProps<typeof PlainField>, "list"> {
  readonly complete: CompleteFolder;
}

/** A field for a folder's path, which offers the folders that begin like it. */
export function PathField({ complete, ...props }: PathFieldProps) {
  const { value } = props;
  const id = useId();
  const [folders, setFolders] = useState<readonly string[]>([]);
  useEffect(() => {
    let isCurrent = true;
    const show = (found: readonly string[]): void => {
      if (isCurrent) setFolders(found);
    };
    if (value === "") show([]);
    // Without an answer nothing is offered.
    else complete(value).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [complete, value]);
  return (
    <>
      <PlainField {...props} list={id} />
      <datalist id={id} data-testid={`${props.testId}-offers`}>
        {folders.map((path) => (
          <option key={path} value={path} />
        ))}
      </datalist>
    </>
  );
}
