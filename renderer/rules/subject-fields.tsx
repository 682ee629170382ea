import { useMemo } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import { assertNever } from "../../app/contract/assert-never.ts";
import { subjectKinds } from "../../app/contract/subject-kinds.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { folderCompletion, PathField } from "../parts/path-field.tsx";
import { PlainField } from "../parts/plain-field.tsx";
import type { RuleDraft } from "./rule-draft.ts";

interface SubjectFieldsProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

/** What a rule is about: the kind, where its tool has several, then the kind's own fields. */
export function SubjectFields({ draft, onChange }: SubjectFieldsProps) {
  const { t } = useTexts();
  const kinds = subjectKinds(draft.covers);
  return (
    <>
      {kinds.length > 1 ? (
        <Choice
          className="field"
          label={t("rules.field.kind")}
          chosen={draft.kind}
          options={kinds.map((word) => ({ word, label: t(`rules.kind.${word}`) }))}
          onChoose={(kind) => onChange({ kind })}
          testId="rule-kind"
        />
      ) : null}
      <OwnFields draft={draft} onChange={onChange} />
    </>
  );
}

function OwnFields({ draft, onChange }: SubjectFieldsProps) {
  const { t } = useTexts();
  const { bridge } = useHost();
  const complete = useMemo(() => folderCompletion(bridge), [bridge]);
  switch (draft.kind) {
    case "anything":
      return null;
    case "path":
      return (
        <>
          <div className="field">
            <PathField
              complete={complete}
              label={t("rules.field.path")}
              seenLabel
              testId="rule-path"
              value={draft.path}
              onChange={(path) => onChange({ path })}
            />
          </div>
          <div className="field">
            <PlainField
              label={t("rules.field.names")}
              seenLabel
              testId="rule-names"
              value={draft.names}
              onChange={(names) => onChange({ names })}
            />
          </div>
        </>
      );
    case "host":
      return (
        <>
          <div className="field">
            <PlainField
              label={t("rules.field.host")}
              seenLabel
              testId="rule-host"
              value={draft.host}
              onChange={(host) => onChange({ host })}
            />
          </div>
          <Choice
            className="field"
            label={t("rules.field.method")}
            chosen={draft.method}
            options={(["reading", "sending", "any"] as const).map((word) => ({
              word,
              label: t(`rules.method.${word}`),
            }))}
            onChoose={(method) => onChange({ method })}
            testId="rule-method"
          />
        </>
      );
    case "command":
      return (
        <TextField value={draft.command} onChange={(command) => onChange({ command })}>
          <Label>{t("rules.field.command")}</Label>
          <TextArea className="mono" data-testid="rule-command" rows={3} spellCheck={false} />
        </TextField>
      );
    default:
      return assertNever(draft.kind);
  }
}
