import { useId } from "react";
import type { FieldFault } from "../../../app/contract/artifacts/answer.ts";
import type { ArtifactField } from "../../../app/contract/artifacts/block.ts";
import { type Texts, useTexts } from "../../language.tsx";
import { Tick } from "../../parts/tick.tsx";
import { numberFormat } from "../../text/formatters.ts";
import { OneOf, SeveralOf } from "./chosen-field.tsx";
import { dayText } from "./day-text.ts";
import { Entered } from "./entered-field.tsx";
import { FieldName, type FieldProps } from "./field-parts.tsx";

/** A field that the person fills in, with what is wrong with it below. */
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
          {faultText(texts, field, fault)}
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

function faultText({ t, language }: Texts, field: ArtifactField, fault: FieldFault): string {
  const limit = (side: "min" | "max"): string => {
    const value = field.tag === "input" && side in field ? Reflect.get(field, side) : undefined;
    if (typeof value === "number") return numberFormat(language, {}).format(value);
    return typeof value === "string" ? dayText(language, value) : "";
  };
  switch (fault) {
    case "too_low":
      return t("artifact.fault.too_low", { limit: limit("min") });
    case "too_high":
      return t("artifact.fault.too_high", { limit: limit("max") });
    case "required":
    case "wrong_type":
    case "too_long":
    case "not_an_option":
      return t(`artifact.fault.${fault}`);
  }
}
