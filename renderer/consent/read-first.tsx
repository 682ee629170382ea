import { useTexts } from "../language.tsx";

/** Why a request cannot be allowed yet; by keyboard, the person says that they have read it. */
export function ReadFirst({ onSaid }: { readonly onSaid: () => void }) {
  const { t } = useTexts();
  return (
    <p className="read-first" data-testid="consent-read-first">
      {t("consent.read_first")}
      <button type="button" data-testid="consent-read-it" onClick={onSaid}>
        {t("consent.read_it")}
      </button>
    </p>
  );
}
