import type { ConsentCard } from "../../app/bridge/views.ts";
import { scopeLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** What else belongs to the request: the permission it uses and where it comes from. */
export function CardFacts({ card }: { readonly card: ConsentCard }) {
  const { t, language } = useTexts();
  const scope = scopeLabel(language, {
    id: card.scope,
    label_i18n_key: card.scope_label_i18n_key,
    label_fallback: card.scope_label_fallback,
  });
  return (
    <dl className="facts">
      <div>
        <dt>{t("consent.permission")}</dt>
        <dd>
          <VisibleText text={scope} />
        </dd>
      </div>
      <div>
        <dt>{t("consent.tool")}</dt>
        <dd className="mono">
          <VisibleText text={card.tool_name} />
        </dd>
      </div>
      <div>
        <dt>{t("consent.conversation")}</dt>
        <dd className="mono">
          <VisibleText text={card.conversation_id} />
        </dd>
      </div>
    </dl>
  );
}
