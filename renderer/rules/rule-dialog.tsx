import { useMemo, useState } from "react";
import { Label, TextArea, TextField } from "react-aria-components";
import type { AgentDetails, RuleView } from "../../app/bridge/agent-views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { RULE_EFFECTS, RULE_TIMES, subjectKinds } from "../../app/contract/rule.ts";
import type { Translate } from "../../i18n/index.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { folderCompletion, PathField } from "../parts/path-field.tsx";
import { PlainField } from "../parts/plain-field.tsx";
import { DialogButtons, useSubmit } from "../parts/submit.tsx";
import { Tick } from "../parts/tick.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { coveredName, ruleLasts } from "../text/rule-words.ts";
import { coverable, draftOf, type RuleDraft, subjectFrom } from "./rule-draft.ts";

interface RuleDialogProps {
  readonly agent: AgentDetails;
  /** Absent: a new one. */
  readonly rule?: RuleView;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** A rule to write, or to change: the changed one replaces it. */
export function RuleDialog(props: RuleDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t(props.rule === undefined ? "rules.new_title" : "rules.edit_title")}
      testId="rule-dialog"
      isOpen={props.isOpen}
      onClose={props.onClose}
    >
      <RuleForm {...props} />
    </FormDialog>
  );
}

function RuleForm({ agent, rule, onClose }: RuleDialogProps) {
  const { t, language } = useTexts();
  const { bridge } = useHost();
  const [draft, setDraft] = useState<RuleDraft>(() => draftOf(rule ?? null, coverable(agent)[0]));
  const change = (part: Partial<RuleDraft>): void => setDraft({ ...draft, ...part });
  const subject = subjectFrom(draft);
  const { problem, setProblem, submit } = useSubmit(async () => {
    if (subject === null) return setProblem("rule_unusable");
    const { covers, effect, time, project } = draft;
    const { agent_id } = agent;
    const replaces = rule === undefined ? {} : { replaces: rule.rule_id };
    const where = project === undefined ? {} : { project };
    const words = { covers, subject, effect, ...where };
    await bridge.call("rules.add", { agent_id, ...words, time, ...replaces });
    onClose();
  });
  return (
    <form className="modal-form" onSubmit={submit}>
      <Choice
        className="field"
        label={t("rules.field.effect")}
        chosen={draft.effect}
        options={RULE_EFFECTS.map((word) => ({ word, label: t(`rules.effect.${word}`) }))}
        onChoose={(effect) => change({ effect })}
        testId="rule-effect"
      />
      <Choice
        className="field"
        label={t("rules.field.covers")}
        chosen={draft.covers}
        options={coverable(agent).map((word) => ({
          word,
          label: word.includes(":")
            ? t("rules.whole_permission", { scope: coveredName(language, agent, word) })
            : coveredName(language, agent, word),
        }))}
        onChoose={(covers) => change({ covers, kind: subjectKinds(covers)[0] ?? "anything" })}
        testId="rule-covers"
      />
      <SubjectFields draft={draft} onChange={change} />
      {rule?.project === undefined ? null : (
        <Tick
          className="check-line"
          on={draft.project !== undefined}
          onChange={(on) => change({ project: on ? rule.project : undefined })}
          testId="rule-project"
        >
          <VisibleText text={t("rules.only_in", { project: rule.project })} />
        </Tick>
      )}
      <Choice
        className="field"
        label={t("rules.field.time")}
        chosen={draft.time}
        options={[
          ...endOf(t, language, rule),
          ...RULE_TIMES.map((word) => ({ word, label: t(`rules.time.${word}`) })),
        ]}
        onChoose={(time) => change({ time })}
        testId="rule-time"
      />
      <p className="muted">{t("rules.high_note")}</p>
      <p className="card-message" role="alert" data-testid="rule-problem">
        {problem === null ? null : t(`bridge_error.${problem}`)}
      </p>
      <DialogButtons label={t("rules.save")} testId="rule-save" onClose={onClose} />
    </form>
  );
}

/** The choice that leaves a changed rule's end as it is. */
const endOf = (t: Translate, language: string, rule: RuleView | undefined) =>
  rule === undefined || rule.ends_at === null
    ? []
    : [
        {
          word: "unchanged",
          label: t("rules.end_unchanged", { lasts: ruleLasts(t, language, rule) }),
        } as const,
      ];

interface SubjectFieldsProps {
  readonly draft: RuleDraft;
  readonly onChange: (part: Partial<RuleDraft>) => void;
}

/** What a rule is about: the kind, where its tool has several, then the kind's own fields. */
function SubjectFields({ draft, onChange }: SubjectFieldsProps) {
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
    case "tool":
      return (
        <div className="field">
          <PlainField
            label={t("rules.field.tool")}
            seenLabel
            testId="rule-tool"
            value={draft.tool}
            onChange={(tool) => onChange({ tool })}
          />
        </div>
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
