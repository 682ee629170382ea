import { useId } from "react";
import type { JsonObject } from "../../app/contract/json.ts";
import { useTexts } from "../language.tsx";
import { ValueRows } from "../parts/value-rows.tsx";
import { argumentRows } from "../text/argument-rows.ts";

/** Every argument, complete: long ones scroll, none is cut. */
export function ArgumentList({ args }: { readonly args: JsonObject }) {
  const { t } = useTexts();
  const heading = useId();
  const rows = argumentRows(args);
  return (
    <section className="arguments" aria-labelledby={heading} data-testid="consent-arguments">
      <h3 id={heading}>{t("consent.arguments")}</h3>
      {rows.length === 0 ? <p className="muted">{t("consent.no_arguments")}</p> : null}
      <ValueRows rows={rows} />
    </section>
  );
}
