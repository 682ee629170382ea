import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { type LocaleName, scopeLabel, toolDescription } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { Fact } from "../parts/fact.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { labelOfCard } from "../text/agent-labels.ts";

interface OfCard {
  readonly card: ConsentCard;
}

/** What a tool does, in the words of whoever provides it; nothing if there are none. */
export function ToolDescription({ card }: OfCard) {
  const { language } = useTexts();
  const description = toolDescription(language, card);
  return description === null ? null : (
    <p className="muted">
      <VisibleText text={description} />
    </p>
  );
}

/** The permission's name is ours, else the agent's. */
export const scopeOf = (language: LocaleName, card: ConsentCard): string =>
  scopeLabel(language, {
    id: card.scope,
    label_i18n_key: card.scope_label_i18n_key,
    label_fallback: card.scope_label_fallback,
  });

/** The rest of the request: the permission it uses and where it comes from. */
export function CardFacts({ card }: OfCard) {
  const { t, language } = useTexts();
  const scope = scopeOf(language, card);
  return (
    <dl className="facts" data-testid="consent-facts">
      <Fact name={t("activity.scope")} text={scope} />
      <Fact
        name={t("agents.conversation")}
        text={
          card.in_own_conversation
            ? t("conversations.with", { agent: labelOfCard(t, card) })
            : card.conversation_id
        }
      />
    </dl>
  );
}

/** The identifiers of this request in the log and at the agent. */
export function CardDetails({ card }: OfCard) {
  const { t } = useTexts();
  const words = [
    [t("activity.tool"), card.tool_name],
    [t("activity.scope"), card.scope],
    [t("agents.conversation"), card.conversation_id],
    [t("activity.call_id"), card.call_id],
    [t("activity.digest"), card.arguments_digest],
  ] as const;
  return (
    <details className="card-details" data-testid="consent-details">
      <summary>{t("consent.details")}</summary>
      <dl className="facts">
        {words.map(([name, word]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="mono">
              <VisibleText text={word} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
