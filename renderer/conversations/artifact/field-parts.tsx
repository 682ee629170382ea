import type { FieldFault, FieldValue } from "../../../app/contract/artifacts/answer.ts";
import type { ArtifactField } from "../../../app/contract/artifacts/block.ts";
import { useTexts } from "../../language.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";

export interface FieldProps<F extends ArtifactField> {
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
export function FieldName({ field }: { readonly field: ArtifactField }) {
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
