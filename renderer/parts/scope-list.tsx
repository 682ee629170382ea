import type { ReactNode } from "react";
import type { ScopeView } from "../../app/bridge/agent-views.ts";
import { SENSITIVITIES, type Sensitivity } from "../../app/contract/scopes.ts";
import { type LocaleName, scopeDescription, scopeLabel, toolLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { listFormat } from "../text/format.ts";
import { visibleString } from "../text/visible-text.ts";
import { Icon } from "./icon.tsx";
import { VisibleText } from "./visible-text.tsx";

/** A scope's name for places without markup. */
export const scopeName = (language: LocaleName, scope: ScopeView): string =>
  visibleString(scopeLabel(language, scope));

/** Scopes by sensitivity, highest first, so that the most important are read first. */
export function scopeGroups<T>(
  items: readonly T[],
  levelOf: (item: T) => Sensitivity,
): readonly (readonly [Sensitivity, readonly T[]])[] {
  return SENSITIVITIES.toReversed()
    .map((level) => [level, items.filter((item) => levelOf(item) === level)] as const)
    .filter(([, members]) => members.length > 0);
}

interface ScopeTextProps {
  readonly scope: ScopeView;
  /** Whether our limits hold for the agent. */
  readonly limited: boolean;
  readonly children?: ReactNode;
}

export function ScopeText({ scope, limited, children }: ScopeTextProps) {
  const { t, language } = useTexts();
  const description = scopeDescription(language, scope.id, limited);
  const tools = scope.tools.map((name) => visibleString(toolLabel(language, name)));
  const list = listFormat(language, { type: "conjunction" }).format(tools);
  return (
    <span className="scope-text">
      <span className="scope-name">
        <VisibleText text={scopeLabel(language, scope)} />
        <SensitivityBadge level={scope.sensitivity} />
      </span>
      {description === null ? null : <span className="muted">{description}</span>}
      <span className="muted">
        {tools.length === 0 ? t("agents.used_by_none") : t("agents.used_by", { tools: list })}
      </span>
      {scope.managed === null ? null : (
        <span className="caution" data-testid={`managed-${scope.id}`}>
          {t(`policy.scope.${scope.managed}`)}
        </span>
      )}
      {scope.needed ? <span className="needed">{t("pairing.needed")}</span> : null}
      {children}
    </span>
  );
}

/** Icon, word and colour together, so that none of them is the only sign. */
export function SensitivityBadge({ level }: { readonly level: Sensitivity }) {
  const { t } = useTexts();
  return (
    <span className={`badge badge-${level}`} title={t(`sensitivity.${level}_means`)}>
      <Icon name={level} />
      {t(`sensitivity.${level}`)}
    </span>
  );
}
