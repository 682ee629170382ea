import { useState } from "react";
import { Label, SearchField } from "react-aria-components";
import type { AgentDetails, QuietPeriodView, ScopeView } from "../../app/bridge/agent-views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { RuleSubject } from "../../app/contract/rule.ts";
import { scopeLabel, toolLabel } from "../../i18n/index.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { FormerAgents } from "../own-data/former-agents.tsx";
import { pageQuery, useFragment } from "../page/page-address.ts";
import { ProgramCards } from "../parts/agent-identity.tsx";
import { ConfirmButton } from "../parts/dialogs.tsx";
import { Empty } from "../parts/empty.tsx";
import { FindInput } from "../parts/plain-field.tsx";
import { quietPeriodCovers, ruleAbout } from "../text/rule-words.ts";
import { AgentPermissions } from "./agent-permissions.tsx";

export function Permissions() {
  const { t, language } = useTexts();
  const { agents } = useSnapshot();
  const wanted = new URLSearchParams(pageQuery(useFragment())).get("find") ?? "";
  const [typed, setTyped] = useState(wanted);
  const [last, setLast] = useState(wanted);
  if (wanted !== last) {
    setLast(wanted);
    setTyped(wanted);
  }
  const searching = typed.trim() !== "";
  const names = {
    scope: (scope: Parameters<typeof scopeLabel>[1]) => scopeLabel(language, scope),
    tool: (toolName: string) => toolLabel(language, toolName),
    about: (subject: RuleSubject) => ruleAbout(t, { subject }),
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
        <SearchField className="search-field" value={typed} onChange={setTyped}>
          <Label>{t("permissions.search")}</Label>
          <FindInput hint={t("permissions.search_hint")} testId="permissions-search" />
        </SearchField>
      )}
      <p className="muted" role="status">
        {searching ? t("permissions.search_found", { count: found.length }) : null}
      </p>
      <ProgramCards
        agents={found.map(({ agent }) => agent)}
        draw={(agent, isPart) => {
          const partial = found.some((each) => each.agent === agent && each.partial);
          return <AgentPermissions key={agent.agent_id} {...{ agent, partial, isPart }} />;
        }}
      />
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

interface ShownNames {
  scope(scope: ScopeView): string;
  tool(toolName: string): string;
  about(subject: RuleSubject): string;
  covers(period: QuietPeriodView): string;
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** As displayed, and as a single word. */
const keyTexts = ({ key_mark: key }: AgentDetails): readonly string[] =>
  key.kind === "known" ? [key.fingerprint, key.fingerprint.replaceAll(" ", "")] : [];

/** An agent's permissions that match, all of them if the agent itself does; null: none. */
export function foundPermissions(
  agent: AgentDetails,
  typed: string,
  names: ShownNames,
): AgentDetails | null {
  const wanted = folded(typed.trim());
  const fits = (...texts: readonly string[]): boolean =>
    texts.some((text) => folded(text).includes(wanted));
  if (fits(agent.name, agent.petname ?? "", ...keyTexts(agent))) return agent;
  const scopes = new Map(agent.grants.map(({ scope }) => [scope.id, names.scope(scope)]));
  const scopeFits = (id: string): boolean => fits(id, scopes.get(id) ?? "");
  const found = {
    ...agent,
    grants: agent.grants.filter(({ scope, state }) => state === "granted" && scopeFits(scope.id)),
    quiet_periods: agent.quiet_periods.filter(
      (period) => scopeFits(period.scope) || fits(period.conversation_id, names.covers(period)),
    ),
    rules: agent.rules.filter(({ covers, subject }) =>
      fits(covers, scopes.get(covers) ?? names.tool(covers), names.about(subject)),
    ),
    roots: agent.roots.filter(({ path }) => fits(path)),
    hosts: agent.hosts.filter((host) => fits(hostText(host))),
  };
  const lists = [found.grants, found.quiet_periods, found.rules, found.roots, found.hosts];
  return lists.some((list) => list.length > 0) ? found : null;
}
