import { Fragment, type ReactNode } from "react";
import type { ArtifactView } from "../../../app/bridge/conversation-views.ts";
import type { FieldValue } from "../../../app/contract/artifacts/answer.ts";
import type { ArtifactField } from "../../../app/contract/artifacts/block.ts";
import { type Texts, useTexts } from "../../language.tsx";
import { Icon } from "../../parts/icon.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { numberText } from "../../text/format.ts";
import { dayText } from "./typed-number.ts";

interface GivenAnswerProps {
  readonly artifact: ArtifactView;
  readonly answer: NonNullable<ArtifactView["answer"]>;
  /** Its form was shown until it was answered. */
  readonly wasOpen: boolean;
  readonly drawn: (index: number) => ReactNode;
}

/** It takes less room than the form did, and would leave the view upwards. */
const keepInView = (line: HTMLElement | null): void => line?.scrollIntoView({ block: "nearest" });

/** An artifact that was answered: what stood in its fields, and what was chosen. */
export function GivenAnswer({ artifact, answer, wasOpen, drawn }: GivenAnswerProps) {
  const { t, gap } = useTexts();
  const action = artifact.blocks.find(
    (block) => block.tag === "action" && block.key === answer.ref_action,
  );
  const label = action?.tag === "action" ? action.label : answer.ref_action;
  return (
    <>
      {artifact.blocks.map((block, index) => {
        const key = "key" in block && block.key !== undefined ? block.key : index;
        switch (block.tag) {
          case "input":
          case "select":
          case "checkbox":
            return <GivenValue key={key} field={block} value={answer.values[block.key]} />;
          case "action":
            return null;
          default:
            return <Fragment key={key}>{drawn(index)}</Fragment>;
        }
      })}
      <p
        className="artifact-note"
        data-testid="artifact-answered"
        ref={wasOpen ? keepInView : null}
      >
        <Icon name="ok" />
        <span>
          {t("artifact.answered") + gap}
          <VisibleText text={label} />
        </span>
      </p>
    </>
  );
}

function GivenValue(props: Readonly<{ field: ArtifactField; value: FieldValue | undefined }>) {
  const { field, value } = props;
  const texts = useTexts();
  const text = valueText(texts, field, value);
  return (
    <dl className="given-value" data-testid="artifact-value" data-key={field.key}>
      <VisibleText within="dt" text={field.label} />
      <dd dir="auto">
        {text === "" ? (
          <span className="muted">{texts.t("artifact.nothing_entered")}</span>
        ) : (
          <VisibleText text={text} block />
        )}
      </dd>
    </dl>
  );
}

function valueText(
  { t, language }: Texts,
  field: ArtifactField,
  value: FieldValue | undefined,
): string {
  if (value === undefined) return "";
  if (typeof value === "boolean") return value ? t("artifact.yes") : t("artifact.no");
  if (typeof value === "number") return numberText(language, value);
  if (field.tag === "select") {
    const labels = new Map(field.options.map((option) => [option.value, option.label]));
    return [value]
      .flat()
      .map((each) => labels.get(each) ?? each)
      .join("\n");
  }
  if (typeof value !== "string") return value.join("\n");
  return field.tag === "input" && field.variant === "date" ? dayText(language, value) : value;
}
