import { useEffect, useId, useState } from "react";
import { useHost } from "../host-context.tsx";
import { PlainField } from "./plain-field.tsx";

interface PathFieldProps {
  readonly label: string;
  readonly testId: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

/** A field for a folder's path, which offers the folders that begin like it. */
export function PathField(props: PathFieldProps) {
  const { bridge } = useHost();
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
    else bridge.call("folders.complete", { text: value }).then(show, () => show([]));
    return () => {
      isCurrent = false;
    };
  }, [bridge, value]);
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
