import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { type LocaleName, scopeLabel, toolDescription, toolLabel } from "../../i18n/index.ts";
import { ValueRows } from "../calls/value-rows.tsx";
import { useTexts } from "../language.tsx";
import { KeyFingerprint } from "../parts/agent-identity.tsx";
import { AgentSaid } from "../parts/agent-said.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { argumentRows } from "../text/argument-rows.ts";
import { SizeLine } from "./card-preview.tsx";
import { WholePaths } from "./card-question.tsx";

interface OfCard {
  readonly card: ConsentCard;
}

/** The permission's name is ours, else the agent's. */
export const scopeOf = (language: LocaleName, card: ConsentCard): string =>
  scopeLabel(language, {
    id: card.scope,
    label_i18n_key: card.scope_label_i18n_key,
    label_fallback: card.scope_label_fallback,
  });

/** One quiet line (tool, permission, level), and behind it everything that need not be in sight. */
export function CardDetails({ card, target }: OfCard & { readonly target: CallTarget }) {
  const { t, language } = useTexts();
  const description = toolDescription(language, card);
  return (
    <details className="card-details" data-testid="consent-details">
      <summary>
        <span data-testid="consent-facts">
          <VisibleText text={toolLabel(language, card.tool_name)} />
          {" · "}
          <VisibleText text={scopeOf(language, card)} />
          {" · "}
          {t(`sensitivity.${card.sensitivity}`)}
        </span>
        <span className="details-word">
          {t("consent.details")} <Icon name="unfold" />
        </span>
      </summary>
      <div className="details-body">
        {description === null ? null : <VisibleText within="p" text={description} />}
        <Arguments card={card} />
        <WholePaths target={target} />
        <Surroundings card={card} />
        <dl className="grants" aria-label={t("consent.grants")}>
          {card.answers.includes("always_deny") ? (
            <div>
              <dt>{t("consent.always_deny")}</dt>
              <dd>{t("consent.always_deny_does")}</dd>
            </div>
          ) : null}
          <div>
            <dt>{t("consent.deny")}</dt>
            <dd>{t("consent.deny_does")}</dd>
          </div>
        </dl>
        <AgentSaid said={card.said} scope={card.scope} />
        <Identifiers card={card} />
      </div>
    </details>
  );
}

function Arguments({ card }: OfCard) {
  const { t } = useTexts();
  const rows = argumentRows(card.arguments);
  if (rows.length === 0) return <p className="muted">{t("consent.no_arguments")}</p>;
  return (
    <div className="arguments" data-testid="consent-all-arguments">
      <ValueRows rows={rows} />
    </div>
  );
}

/** Where it would run, and what limits it. */
function Surroundings({ card: { preview, decided_only, tool_name } }: OfCard) {
  const { t, gap } = useTexts();
  return (
    <>
      {preview?.kind === "text_change" ? <SizeLine {...preview} /> : null}
      {preview?.kind === "command" ? (
        <>
          <p>
            {t("consent.command.program")}
            {gap}
            <VisibleText within="code" text={preview.program} />
          </p>
          {preview.sandbox === null ? null : (
            <p data-testid="consent-sandbox">{t(`consent.command.${preview.sandbox}`)}</p>
          )}
          {preview.network ? null : <p>{t("consent.command.no_network")}</p>}
          <p>{t("consent.dangers_rest")}</p>
        </>
      ) : null}
      {tool_name === "run_command" ? <p>{t("consent.command.not_kept")}</p> : null}
      {decided_only ? <p data-testid="consent-decided-only">{t("consent.decided_only")}</p> : null}
    </>
  );
}

/** Who asks, and the names of this request in the log and at the agent. */
function Identifiers({ card }: OfCard) {
  const { t } = useTexts();
  const words = [
    ...(card.petname === null ? [] : [[t("agents.calls_itself"), card.agent_name] as const]),
    [t("activity.tool"), card.tool_name] as const,
    [t("activity.scope"), card.scope] as const,
    [t("agents.conversation"), card.conversation_id] as const,
    [t("activity.call_id"), card.call_id] as const,
    [t("activity.digest"), card.arguments_digest] as const,
  ];
  return (
    <dl className="facts">
      {words.map(([name, word]) => (
        <div key={name}>
          <dt>{name}</dt>
          <VisibleText within="dd" className="mono" text={word} />
        </div>
      ))}
      {card.key_mark.kind === "none" ? null : (
        <div>
          <dt>{t("agents.fingerprint")}</dt>
          <dd className="mono">
            <KeyFingerprint mark={card.key_mark} />
          </dd>
        </div>
      )}
    </dl>
  );
}
