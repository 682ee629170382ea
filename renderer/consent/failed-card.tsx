import { useTexts } from "../language.tsx";
import type { ConsentActions } from "./consent-card.tsx";

interface FailedCardProps {
  readonly request_id: string;
  readonly actions: ConsentActions;
}

/** A request that cannot be displayed cannot be approved, only denied. */
export function FailedCard({ request_id, actions }: FailedCardProps) {
  const { t } = useTexts();
  return (
    <article className="consent-card" data-testid="consent-failed">
      <h2 tabIndex={-1}>{t("consent.card_failed_title")}</h2>
      <p role="alert">{t("consent.card_failed")}</p>
      <div className="answer-row">
        <button
          type="button"
          data-testid="consent-failed-deny"
          onClick={() => void actions.answer(request_id, "deny")}
        >
          {t("consent.deny")}
        </button>
      </div>
    </article>
  );
}
