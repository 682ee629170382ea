import { type FormEvent, useRef, useState } from "react";
import { Button, Label, TextArea, TextField } from "react-aria-components";
import type { RuleTest } from "../../app/bridge/agent-calls.ts";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import type { BridgeErrorCode } from "../../app/bridge/client-bridge.ts";
import { subjectKinds } from "../../app/contract/rule.ts";
import { toolLabel } from "../../i18n/index.ts";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { ruleAbout } from "../text/rule-words.ts";
import { toolsOf } from "./rule-draft.ts";

interface TestDialogProps {
  readonly agent: AgentDetails;
  readonly isOpen: boolean;
  readonly onClose: () => void;
}

/** Whether a call would be asked about, without any call. */
export function TestDialog(props: TestDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t("rules.test")}
      testId="rule-test-dialog"
      isOpen={props.isOpen}
      onClose={props.onClose}
    >
      <TestForm {...props} />
    </FormDialog>
  );
}

function TestForm({ agent, onClose }: TestDialogProps) {
  const { t, language } = useTexts();
  const { bridge } = useHost();
  const [tool_name, setTool] = useState(toolsOf(agent)[0] ?? "");
  const [about, setAbout] = useState("");
  const [found, setFound] = useState<RuleTest | BridgeErrorCode | null>(null);
  const kind = subjectKinds(tool_name)[0] ?? "anything";
  const readsLines = agent.grants.some(({ scope }) => scope.id === "agent:command");
  /** The last question; an answer to an earlier one comes too late. */
  const asked = useRef<object | null>(null);
  const forget = (): void => {
    asked.current = null;
    setFound(null);
  };
  const ask = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const question = { agent_id: agent.agent_id, tool_name, about };
    asked.current = question;
    const answer = await bridge.call("rules.test", question).catch(errorCode);
    if (asked.current === question) setFound(answer);
  };
  return (
    <form className="modal-form" onSubmit={(event) => void ask(event)}>
      <Choice
        className="field"
        label={t("activity.tool")}
        chosen={tool_name}
        options={toolsOf(agent).map((word) => ({ word, label: toolLabel(language, word) }))}
        onChoose={(chosen) => {
          setTool(chosen);
          forget();
        }}
        testId="rule-test-tool"
      />
      {kind === "anything" ? null : (
        <TextField
          value={about}
          onChange={(text) => {
            setAbout(text);
            forget();
          }}
        >
          <Label>{t(`rules.test_about.${kind === "command" && readsLines ? "line" : kind}`)}</Label>
          <TextArea
            className="mono"
            data-testid="rule-test-about"
            rows={kind === "command" ? 3 : 2}
            spellCheck={false}
          />
        </TextField>
      )}
      <div role="status" data-testid="rule-test-result" data-outcome={outcomeOf(found)}>
        {found === null ? null : <Found agent={agent} found={found} />}
      </div>
      <div className="button-row">
        <Button onPress={onClose}>{t("app.close")}</Button>
        <Button type="submit" className="primary" data-testid="rule-test-go">
          {t("rules.test_go")}
        </Button>
      </div>
    </form>
  );
}

const outcomeOf = (found: RuleTest | BridgeErrorCode | null): string | undefined =>
  found === null || typeof found === "string" ? undefined : found.outcome;

interface FoundProps {
  readonly agent: AgentDetails;
  readonly found: RuleTest | BridgeErrorCode;
}

function Found({ agent, found }: FoundProps) {
  const { t, gap } = useTexts();
  if (typeof found === "string") return <p>{t(`bridge_error.${found}`)}</p>;
  const rule = agent.rules.find(({ rule_id }) => rule_id === found.rule_id);
  return (
    <>
      <p>{t(`rules.outcome.${found.outcome}`) + gap + t(`rules.why.${found.why}`)}</p>
      {found.raised === undefined ? null : (
        <ul className="why">
          {found.raised.map((why) => (
            <li key={why}>{t(`consent.raised.${why}`)}</li>
          ))}
        </ul>
      )}
      {rule === undefined ? null : (
        <p className="muted">
          <VisibleText
            text={t("app.labelled", {
              label: t(`rules.effect.${rule.effect}`),
              text: ruleAbout(t, rule),
            })}
          />
        </p>
      )}
    </>
  );
}
