import { useState } from "react";
import type { QuietPeriodView } from "../../app/bridge/views.ts";
import type { RuleSubject } from "../../app/contract/rule-subject.ts";
import { scopeLabel, toolLabel } from "../../i18n/index.ts";
import { AgentPermissions } from "../agents/agent-permissions.tsx";
import { foundPermissions } from "../agents/found-permissions.ts";
import { SearchPermissions } from "../agents/search-permissions.tsx";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FormerAgents } from "../own-data/former-agents.tsx";
import { ConfirmButton } from "../parts/confirm-button.tsx";
import { Empty } from "../parts/empty.tsx";
import { quietPeriodCovers } from "../text/quiet-period-covers.ts";
import { ruleAbout } from "../text/rule-words.ts";

export function Permissions() {
  const { t, language } = useTexts();
  const { agents } = useSnapshot();
  const [typed, setTyped] = useState("");
  const searching = typed.trim() !== "";
  const names = {
    scope: (scope: Parameters<typeof scopeLabel>[1]) => scopeLabel(language, scope),
    tool: (toolName: string) => toolLabel(language, toolName),
    about: (subject: RuleSubject) => ruleAbout(t, subject),
    covers: (period: QuietPeriodView) => quietPeriodCovers(t, period),
  };
  const found = agents.flatMap((agent) => {
    const part = searching ? foundPermissions(agent, typed, names) : agent;
    return part === null ? [] : [{ agent: part, partial: part !== agent }];
  });
  return (
    <>
      <div className="section-head">
        <h1>{t("nav.permissions")}</h1>
        {agents.length === 0 ? null : <RevokeAll />}
      </div>
      <p className="lede">{t("permissions.lede")}</p>
      <FormerAgents />
      {agents.length === 0 ? (
        <Empty
          icon="permissions"
          title={t("permissions.empty_title")}
          body={t("permissions.empty_body")}
        />
      ) : (
        <SearchPermissions typed={typed} onChange={setTyped} />
      )}
      <p className="muted" role="status">
        {searching ? t("permissions.search_found", { count: found.length }) : null}
      </p>
      {found.map(({ agent, partial }) => (
        <AgentPermissions agent={agent} partial={partial} key={agent.agent_id} />
      ))}
    </>
  );
}

function RevokeAll() {
  const { t } = useTexts();
  const act = useAct();
  return (
    <ConfirmButton
      className="danger"
      testId="revoke-all"
      title={t("permissions.revoke_all_ask")}
      body={t("permissions.revoke_all_body")}
      confirm={t("permissions.revoke_all_confirm")}
      onConfirm={() => void act("permissions.revoke_all", {})}
    >
      {t("permissions.revoke_all")}
    </ConfirmButton>
  );
}
