import type { ComponentProps } from "react";
import { assertNever } from "../../app/contract/assert-never.ts";
import { FolderButton, type PickFolder } from "./folder-button.tsx";
import { type CompleteFolder, PathField } from "./path-field.tsx";
import { PlainField } from "./plain-field.tsx";

/** Where the system shows its own picker, nothing else is needed. */
export type FolderHelp =
  | { readonly kind: "picks"; readonly pick: PickFolder }
  | { readonly kind: "completes"; readonly complete: CompleteFolder };

interface FolderFieldProps extends Omit<ComponentProps<typeof PlainField>, "list"> {
  readonly help: FolderHelp;
}

/** A folder, by its path or through the system's picker. */
export function FolderField({ help, ...field }: FolderFieldProps) {
  switch (help.kind) {
    case "completes":
      return <PathField {...field} complete={help.complete} />;
    case "picks":
      return (
        <>
          <PlainField {...field} />
          <FolderButton pick={help.pick} startAt={field.value} onPicked={field.onChange} />
        </>
      );
    default:
      return assertNever(help);
  }
}
