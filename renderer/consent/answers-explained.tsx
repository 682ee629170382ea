import { type ReactNode, useState } from "react";
import { useTexts } from "../language.tsx";
import { knowsAnswers } from "./answers-given.ts";

/** What each answer does; folded away once the person has answered often. */
export function AnswersExplained({ children }: { readonly children: ReactNode }) {
  const { t } = useTexts();
  const [folds] = useState(knowsAnswers);
  const explained = (
    <dl className="grants" aria-label={t("consent.grants")}>
      {children}
    </dl>
  );
  if (!folds) return explained;
  return (
    <details className="grants-fold" data-testid="consent-grants">
      <summary>{t("consent.grants")}</summary>
      {explained}
    </details>
  );
}
