import { useId } from "react";
import type { FieldFault } from "../../../app/contract/artifacts/answer.ts";
import type { ArtifactField } from "../../../app/contract/artifacts/block.ts";
import { LIMITS } from "../../../app/contract/limits.ts";
import { type Texts, useTexts } from "../../language.tsx";
import { Tick } from "../../parts/tick.tsx";
import { numberText } from "../../text/number-text.ts";
import { OneOf, SeveralOf } from "./chosen-field.tsx";
import { dayText } from "./day-text.ts";
import { Entered } from "./entered-field.tsx";
import { FieldName, type FieldProps } from "./field-parts.tsx";
import { twoMeanings } from "./typed-number.ts";

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
          {faultText(texts, props, fault)}
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

type Filled = Pick<FieldProps<ArtifactField>, "field" | "value">;

function faultText({ t, language }: Texts, { field, value }: Filled, fault: FieldFault): string {
  const limit = (side: "min" | "max" | "max_length"): string => {
    const most: unknown = field.tag === "input" ? Reflect.get(field, side) : undefined;
    if (typeof most === "number") return numberText(language, most, false);
    return typeof most === "string" ? dayText(language, most) : "";
  };
  switch (fault) {
    case "too_low":
      return t("artifact.fault.too_low", { limit: limit("min") });
    case "too_high":
      return t("artifact.fault.too_high", { limit: limit("max") });
    case "too_long": {
      const most = numberText(language, LIMITS.artifactTextChars);
      return t("artifact.fault.too_long", { limit: limit("max_length") || most });
    }
    case "wrong_type": {
      const meanings = typeof value === "string" ? twoMeanings(value) : null;
      if (meanings !== null) return t("artifact.fault.two_numbers", meanings);
      const isNumber = field.tag === "input" && field.variant === "number";
      return t(`artifact.fault.${isNumber ? "not_a_number" : "wrong_type"}`);
    }
    case "required":
      return t(`artifact.fault.${field.tag === "checkbox" ? "unticked" : "required"}`);
    case "not_an_option":
      return t("artifact.fault.not_an_option");
  }
}
