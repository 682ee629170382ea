import { useState } from "react";
import { Button } from "react-aria-components";
import { type AgentDetails, shownName } from "../../app/bridge/agent-views.ts";
import { assertNever } from "../../app/contract/assert-never.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { FormerAgent } from "../../app/contract/own-data.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { grantedScopes } from "../agents/reconsent.tsx";
import { errorCode } from "../bridge/page-bridge.ts";
import { useHost, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FormDialog } from "../parts/dialogs.tsx";
import { isLimited } from "../parts/policy-limits.tsx";
import { SensitivityBadge } from "../parts/scope-list.tsx";
import { Tick } from "../parts/tick.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { labelOf, useAgentLabels } from "../text/agent-labels.ts";
import { coveredName, ruleAbout, ruleLasts } from "../text/rule-words.ts";
import { visibleString } from "../text/visible-text.ts";
import { type FormerItem, formerItems, givingCalls, isTickedAtFirst } from "./former-items.ts";

interface GiveOutcome {
  /** Whether the agent has everything of the list now. */
  readonly all: boolean;
  /** How many rules the agent was not given. */
  readonly left_out: number;
}

const NOTHING: GiveOutcome = { all: false, left_out: 0 };

interface GiveDialogProps {
  readonly former: FormerAgent;
  readonly isOpen: boolean;
  readonly onClose: (outcome: GiveOutcome) => void;
}

export function GiveDialog(props: GiveDialogProps) {
  const { t } = useTexts();
  return (
    <FormDialog
      title={t("former.give_title", { agent: visibleString(shownName(props.former)) })}
      testId="former-dialog"
      isOpen={props.isOpen}
      onClose={() => props.onClose(NOTHING)}
    >
      <GiveForm {...props} />
    </FormDialog>
  );
}

function GiveForm({ former, onClose }: GiveDialogProps) {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  const labels = useAgentLabels();
  const [agentId, setAgentId] = useState<string | null>(null);
  const agent = agents.find(({ agent_id }) => agent_id === agentId);
  return (
    <div className="modal-form">
      <Choice
        className="field"
        label={t("activity.agent")}
        chosen={agentId}
        placeholder={t("manifest.choose_agent")}
        options={agents.map(({ agent_id, name }) => ({
          word: agent_id,
          label: labelOf(labels, agent_id, name),
        }))}
        onChoose={setAgentId}
        testId="former-agent-choice"
      />
      {agent === undefined ? (
        <div className="button-row">
          <CancelButton onClose={onClose} />
        </div>
      ) : (
        <GiveItems agent={agent} former={former} onClose={onClose} key={agent.agent_id} />
      )}
    </div>
  );
}

function GiveItems({
  agent,
  former,
  onClose,
}: Omit<GiveDialogProps, "isOpen"> & { readonly agent: AgentDetails }) {
  const { t } = useTexts();
  const { bridge, setFailure } = useHost();
  // As they were when the agent was chosen: what is given meanwhile changes no line under the pointer.
  const [items] = useState(() => formerItems(former, agent));
  const [chosen, setChosen] = useState(() => items.filter(isTickedAtFirst));
  const [busy, setBusy] = useState(false);
  const give = async (): Promise<void> => {
    setBusy(true);
    const given = chosen.flatMap((item) => (item.kind === "scope" ? [item.scope.id] : []));
    const scopes = [...grantedScopes(agent), ...given];
    const couldGive = isLimited(agent) || former.roots.length + former.hosts.length === 0;
    let all =
      couldGive &&
      chosen.length === items.length &&
      former.scopes.every((id) => scopes.includes(id));
    let left_out = 0;
    for (const [name, args] of givingCalls(agent, chosen)) {
      try {
        const result = await bridge.call(name, args);
        if (result !== null && "left_out" in result) left_out = result.left_out;
      } catch (error) {
        all = false;
        setFailure(errorCode(error));
        // What is meant for a suspended agent is given to no other.
        if (name === "agents.suspend") break;
      }
    }
    onClose({ all: all && left_out === 0, left_out });
  };
  return (
    <>
      {items.length === 0 ? <p>{t("former.nothing")}</p> : null}
      {items.map((item) => (
        <Tick
          key={JSON.stringify(item)}
          on={chosen.includes(item)}
          onChange={(on) =>
            setChosen(on ? [...chosen, item] : chosen.filter((each) => each !== item))
          }
          className="check-line"
          testId={`former-item-${item.kind}`}
        >
          <ItemText item={item} agent={agent} />
        </Tick>
      ))}
      <div className="button-row">
        <CancelButton onClose={onClose} />
        <Button
          className="primary"
          isDisabled={busy || chosen.length === 0}
          data-testid="former-confirm"
          onPress={() => void give()}
        >
          {t("former.confirm")}
        </Button>
      </div>
    </>
  );
}

function CancelButton({ onClose }: Pick<GiveDialogProps, "onClose">) {
  const { t } = useTexts();
  return <Button onPress={() => onClose(NOTHING)}>{t("app.cancel")}</Button>;
}

function ItemText({ item, agent }: { readonly item: FormerItem; readonly agent: AgentDetails }) {
  const { t, language } = useTexts();
  switch (item.kind) {
    case "suspension":
      return <span>{t("former.suspension")}</span>;
    case "petname":
      return <VisibleText text={t("former.petname", { name: item.petname })} />;
    case "scope":
      return (
        <span className="scope-name">
          <VisibleText text={scopeLabel(language, item.scope)} />
          <SensitivityBadge level={item.scope.sensitivity} />
        </span>
      );
    case "root":
      return (
        <span>
          <VisibleText within="span" className="mono path" text={item.path} />{" "}
          <span className="muted">{t(`permissions.root_access.${item.access}`)}</span>
        </span>
      );
    case "host":
      return <VisibleText within="span" className="mono" text={hostText(item)} />;
    case "rule": {
      const { effect, covers, subject, ends_at } = item.rule;
      return (
        <span>
          <span className={`rule-effect effect-${effect}`}>{t(`rules.effect.${effect}`)}</span>{" "}
          <VisibleText text={coveredName(language, agent, covers)} />{" "}
          <span className="muted">
            <VisibleText text={ruleAbout(t, { subject })} />
            {` · ${ruleLasts(t, language, { ends_at, for_task: false })}`}
          </span>
        </span>
      );
    }
    default:
      return assertNever(item);
  }
}
