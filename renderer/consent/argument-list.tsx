import { useId } from "react";
import type { JsonObject } from "../../app/contract/json.ts";
import { CallFold } from "../calls/call-fold.tsx";
import { useTexts } from "../language.tsx";
import { ValueRows } from "../parts/value-rows.tsx";
import { argumentRows } from "../text/argument-rows.ts";

interface ArgumentListProps {
  readonly args: JsonObject;
  /** Those that neither the heading nor the preview shows. */
  readonly unsaid: JsonObject;
}

/** Every argument, complete: visible, or folded if the card shows the same above. */
export function ArgumentList({ args, unsaid }: ArgumentListProps) {
  const { t } = useTexts();
  const heading = useId();
  const rows = argumentRows(unsaid);
  const all = argumentRows(args);
  const folds = rows.length < all.length;
  return (
    <section className="arguments" aria-labelledby={heading} data-testid="consent-arguments">
      <h3 id={heading} className={folds && rows.length === 0 ? "unseen" : undefined}>
        {folds && rows.length > 0 ? t("consent.arguments_left") : t("consent.arguments")}
      </h3>
      {all.length === 0 ? <p className="muted">{t("consent.no_arguments")}</p> : null}
      {rows.length === 0 ? null : <ValueRows rows={rows} />}
      {folds ? (
        <CallFold title={t("consent.arguments_all")} testId="consent-all-arguments">
          <ValueRows rows={all} />
        </CallFold>
      ) : null}
    </section>
  );
}
