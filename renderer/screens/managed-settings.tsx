import type { ReactNode } from "react";
import { useSnapshot } from "../host-context.tsx";
import { useTexts } from "../language.tsx";
import { SensitivityBadge } from "../parts/sensitivity-badge.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** What an administrator has decided, to be read only. */
export function ManagedSettings() {
  const { t } = useTexts();
  const { policy } = useSnapshot();
  if (policy?.state !== "applied") return null;
  const { allowed_agents, denied_scopes, sensitivities, retention_days } = policy;
  return (
    <>
      <h2>{t("policy.title")}</h2>
      <section className="card settings" data-testid="managed-settings">
        <p>{t("policy.lede")}</p>
        {allowed_agents === null ? null : (
          <p>{t("policy.allowed_agents", { count: allowed_agents })}</p>
        )}
        <ScopeNames title={t("policy.denied_scopes")}>{denied_scopes.map(nameRow)}</ScopeNames>
        <ScopeNames title={t("policy.sensitivities")}>
          {sensitivities.map(({ scope, least }) => (
            <li key={scope}>
              <span className="mono">
                <VisibleText text={scope} />
              </span>{" "}
              <SensitivityBadge level={least} />
            </li>
          ))}
        </ScopeNames>
        <ScopeNames title={t("policy.unknown_scopes")}>
          {policy.unknown_scopes.map(nameRow)}
        </ScopeNames>
        {policy.hub_managed ? <p>{t("policy.hub_managed")}</p> : null}
        {retention_days === null ? null : (
          <p>{t("policy.retention", { days: String(retention_days) })}</p>
        )}
        {policy.updates_off ? <p>{t("policy.updates_off")}</p> : null}
        <ScopeNames title={t("policy.file")}>{policy.files.map(nameRow)}</ScopeNames>
      </section>
    </>
  );
}

const nameRow = (name: string) => (
  <li key={name} className="mono">
    <VisibleText text={name} />
  </li>
);

function ScopeNames(props: { readonly title: string; readonly children: readonly ReactNode[] }) {
  if (props.children.length === 0) return null;
  return (
    <div className="setting">
      <span>{props.title}</span>
      <ul>{props.children}</ul>
    </div>
  );
}
