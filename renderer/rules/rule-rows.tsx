import { useState } from "react";
import { Button, FileTrigger } from "react-aria-components";
import type { AgentDetails, RuleView } from "../../app/bridge/agent-views.ts";
import type { CallResult } from "../../app/bridge/calls.ts";
import { LIMITS } from "../../app/contract/limits.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useAct, useHost } from "../host-context.tsx";
import { type Texts, useTexts } from "../language.tsx";
import { beginningOf, useSave } from "../parts/files.ts";
import { VisibleText } from "../parts/visible-text.tsx";
import {
  inFolders,
  type PermissionLine,
  PermissionLines,
} from "../permissions/permission-lines.tsx";
import { coveredName, ruleAbout, ruleLasts, ruleUsed } from "../text/rule-words.ts";
import { RuleDialog } from "./rule-dialog.tsx";
import { TestDialog } from "./test-dialog.tsx";

interface RuleRowsProps {
  readonly agent: AgentDetails;
  /** Only what was searched for is shown, so nothing can be added. */
  readonly partial: boolean;
}

export function RuleRows({ agent, partial }: RuleRowsProps) {
  const texts = useTexts();
  const act = useAct();
  const { t } = texts;
  const [open, setOpen] = useState<"write" | "test" | null>(null);
  if (partial && agent.rules.length === 0) return null;
  return (
    <>
      <PermissionLines
        mixed
        agent={agent}
        title={t("rules.title")}
        lines={agent.rules.map((rule) => ruleLine(texts, act, agent, rule))}
        none={t("rules.none")}
      />
      {partial ? null : (
        <div className="button-row rule-actions">
          <Button data-testid="rule-new" onPress={() => setOpen("write")}>
            {t("rules.new")}
          </Button>
          <Button data-testid="rule-test" onPress={() => setOpen("test")}>
            {t("rules.test")}
          </Button>
          <RuleFiles agent={agent} />
        </div>
      )}
      <RuleDialog agent={agent} isOpen={open === "write"} onClose={() => setOpen(null)} />
      <TestDialog agent={agent} isOpen={open === "test"} onClose={() => setOpen(null)} />
    </>
  );
}

function ruleLine(
  { t, language }: Texts,
  act: ReturnType<typeof useAct>,
  agent: AgentDetails,
  rule: RuleView,
): PermissionLine {
  const { agent_id, rule_id, covers, effect, subject, ends_at, for_task, made_on } = rule;
  return {
    id: rule_id,
    testId: "rule-row",
    data: { "data-covers": covers, "data-effect": effect, "data-uses": rule.uses },
    what: (
      <>
        <span className={`rule-effect effect-${effect}`}>{t(`rules.effect.${effect}`)}</span>{" "}
        <VisibleText text={coveredName(language, agent, covers)} />
      </>
    ),
    about: ruleAbout(t, { ...rule, subject: inFolders(agent, subject) }),
    path: "path" in subject ? subject.path : undefined,
    notes: [ruleLasts(t, language, rule), ruleUsed(t, language, rule)],
    beside: <EditRule agent={agent} rule={rule} />,
    end: [
      t(effect === "allow" ? "permissions.end_quiet_period" : "permissions.remove_rule"),
      "remove-rule",
    ],
    act: () => act("rules.remove", { agent_id, rule_id }),
    alike:
      made_on !== null && subject.kind === "path" && [covers, effect, ends_at, for_task].join(" "),
  };
}

function EditRule({ agent, rule }: { readonly agent: AgentDetails; readonly rule: RuleView }) {
  const { t } = useTexts();
  const [editing, setEditing] = useState(false);
  return (
    <>
      <Button className="quiet" data-testid="rule-edit" onPress={() => setEditing(true)}>
        {t("rules.edit")}
      </Button>
      <RuleDialog agent={agent} rule={rule} isOpen={editing} onClose={() => setEditing(false)} />
    </>
  );
}

function RuleFiles({ agent }: { readonly agent: AgentDetails }) {
  const { agent_id } = agent;
  const { t, gap } = useTexts();
  const { bridge, setFailure } = useHost();
  const [said, setSaid] = useState("");
  const [weakening, setWeakening] = useState<Weakening>([]);
  const save = useSave();
  const write = async (): Promise<void> => {
    setSaid("");
    const written = bridge.call("rules.export", { agent_id });
    if (!(await save(written))) return;
    const { saved, left_out } = await written;
    const counts = t("rules.exported", { saved, left_out });
    setSaid(left_out === 0 ? counts : counts + gap + t("rules.not_for_files"));
  };
  const take = async (file: File | undefined): Promise<void> => {
    if (file === undefined) return;
    setSaid("");
    setWeakening([]);
    setFailure(null);
    try {
      const { weakening: weaker, ...counts } = await bridge.call("rules.import", {
        agent_id,
        // Of a longer file, which has no rules, only the beginning is read.
        text: await beginningOf(file, LIMITS.ruleFileBytes).text(),
      });
      setWeakening(weaker);
      setSaid(t("rules.imported", counts));
    } catch (error) {
      setFailure(errorCode(error));
    }
  };
  return (
    <>
      <Button data-testid="rules-export" onPress={() => void write()}>
        {t("rules.export")}
      </Button>
      <FileTrigger
        acceptedFileTypes={["application/json"]}
        onSelect={(files) => void take(files?.[0])}
      >
        <Button data-testid="rules-import">{t("rules.import")}</Button>
      </FileTrigger>
      <span className="muted" role="status">
        {said}
      </span>
      {weakening.length === 0 ? null : <WeakeningRules agent={agent} rules={weakening} />}
    </>
  );
}

type Weakening = CallResult<"rules.import">["weakening"];

/** Rules of a file that were not added, each with the person's own that it would have weakened. */
function WeakeningRules({
  agent,
  rules,
}: {
  readonly agent: AgentDetails;
  readonly rules: Weakening;
}) {
  const { t, language } = useTexts();
  return (
    <div data-testid="rules-weakening">
      <p>{t("rules.import_weakens")}</p>
      <ul>
        {rules.map(({ stands, ...rule }) => (
          <li key={JSON.stringify(rule)}>
            <VisibleText
              text={t("rules.import_weaker", {
                effect: t(`rules.effect.${rule.effect}`),
                covers: coveredName(language, agent, rule.covers),
                about: ruleAbout(t, rule),
              })}
            />
            {agent.rules
              .filter(({ rule_id }) => stands.includes(rule_id))
              .map((own) => (
                <span className="muted" key={own.rule_id}>
                  <VisibleText
                    text={t("rules.import_stands", {
                      effect: t(`rules.effect.${own.effect}`),
                      about: ruleAbout(t, own),
                    })}
                  />
                </span>
              ))}
          </li>
        ))}
      </ul>
    </div>
  );
}
