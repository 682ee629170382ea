import { useState } from "react";
import type { AgentCard } from "../../app/bridge/views.ts";
import { useAct, useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { AgentIdentity } from "../parts/agent-identity.tsx";
import { Empty } from "../parts/empty.tsx";
import { visibleString } from "../text/visible-text.ts";
import { HostRows } from "./host-rows.tsx";
import { GrantRows, RuleRows, WindowRows } from "./permission-rows.tsx";
import { RootRows } from "./root-rows.tsx";

export function Permissions() {
  const { t } = useTexts();
  const { agents } = useSnapshot();
  return (
    <>
      <div className="section-head">
        <h1>{t("permissions.title")}</h1>
        {agents.length === 0 ? null : <RevokeAll />}
      </div>
      <p className="lede">{t("permissions.lede")}</p>
      {agents.length === 0 ? (
        <Empty
          icon="permissions"
          title={t("permissions.empty_title")}
          body={t("permissions.empty_body")}
        />
      ) : null}
      {agents.map((agent) => (
        <AgentPermissions agent={agent} key={agent.agent_id} />
      ))}
    </>
  );
}

function AgentPermissions({ agent }: { readonly agent: AgentCard }) {
  const { t } = useTexts();
  const act = useAct();
  return (
    <section
      className="card"
      aria-label={visibleString(agent.name)}
      data-testid="permissions-agent"
      data-agent-id={agent.agent_id}
    >
      <header className="section-head">
        <AgentIdentity name={agent.name} fingerprint={agent.fingerprint} />
        <button
          type="button"
          className="danger"
          data-testid="revoke-agent"
          onClick={() => void act("permissions.revoke_agent", { agent_id: agent.agent_id })}
        >
          {t("permissions.revoke_agent")}
        </button>
      </header>
      <GrantRows agent={agent} />
      <WindowRows agent={agent} />
      <RuleRows agent={agent} />
      <RootRows agent={agent} />
      <HostRows agent={agent} />
    </section>
  );
}

/** The one step that cannot be undone with one click, so it asks once more. */
function RevokeAll() {
  const { t } = useTexts();
  const act = useAct();
  const [asking, setAsking] = useState(false);
  if (!asking) {
    return (
      <button
        type="button"
        className="danger"
        data-testid="revoke-all"
        onClick={() => setAsking(true)}
      >
        {t("permissions.revoke_all")}
      </button>
    );
  }
  return (
    <div className="confirm" role="alertdialog" aria-label={t("permissions.revoke_all_ask")}>
      <p>
        <strong>{t("permissions.revoke_all_ask")}</strong> {t("permissions.revoke_all_body")}
      </p>
      <div className="button-row">
        {/* biome-ignore lint/a11y/noAutofocus: the question just replaced the button that had the focus */}
        <button type="button" autoFocus onClick={() => setAsking(false)}>
          {t("app.cancel")}
        </button>
        <button
          type="button"
          className="danger"
          data-testid="revoke-all-confirm"
          onClick={() => {
            setAsking(false);
            void act("permissions.revoke_all", {});
          }}
        >
          {t("permissions.revoke_all_confirm")}
        </button>
      </div>
    </div>
  );
}
