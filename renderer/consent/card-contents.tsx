import { memo, useId } from "react";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import type { JsonObject } from "../../app/contract/json.ts";
import { commandDangers } from "../../app/contract/target/command-dangers.ts";
import type { CallTarget } from "../../app/contract/target/target.ts";
import { unsaidArguments } from "../../app/contract/target/unsaid-arguments.ts";
import { ValueRows } from "../calls/value-rows.tsx";
import { useTexts } from "../language.tsx";
import { AgentSaid } from "../parts/agent-said.tsx";
import { CallFold } from "../parts/fold.tsx";
import { argumentRows } from "../text/argument-rows.ts";
import { CardDetails, ToolDescription } from "./card-facts.tsx";
import { CardPreview } from "./card-preview.tsx";
import { TargetCautions } from "./card-target.tsx";

interface CardContentsProps {
  readonly card: ConsentCard;
  readonly target: CallTarget;
}

/** What the card shows in its middle. */
function Contents({ card, target }: CardContentsProps) {
  const { preview, tool_name } = card;
  const effect =
    preview === null ? null : (
      <CardPreview preview={preview} toolName={tool_name} args={card.arguments} />
    );
  const args = <ArgumentList args={card.arguments} unsaid={unsaidArguments(card, target)} />;
  // Arguments that a long difference does not show must come before it.
  const isLong = preview?.kind === "text_change";
  return (
    <>
      <TargetCautions target={target} />
      <RaisedList card={card} />
      <DangerList toolName={tool_name} args={card.arguments} />
      {target.kind === "other" ? <ToolDescription card={card} /> : null}
      {isLong ? args : effect}
      {isLong ? effect : args}
      <CardDetails card={card} />
      <AgentSaid said={card.said} scope={card.scope} />
    </>
  );
}

/**
 * The middle can be long, and all of it comes from the request, which stays as it is while it waits.
 * So it is drawn once, however often the host says how much time is left.
 */
export const CardContents = memo(
  Contents,
  (before, after) => before.card.request_id === after.card.request_id,
);

interface ArgumentListProps {
  readonly args: JsonObject;
  /** Those that neither the heading nor the preview shows. */
  readonly unsaid: JsonObject;
}

/** Every argument, complete: visible, or folded if the card shows the same above. */
function ArgumentList({ args, unsaid }: ArgumentListProps) {
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

/** Why this one call is high, and where its paths lead if that is not where they say. */
function RaisedList({ card }: { readonly card: ConsentCard }) {
  const { t } = useTexts();
  const { raised, leads_to } = card;
  const elsewhere = Object.entries(leads_to ?? {}).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(card.arguments[name]),
  );
  return (
    <>
      {raised.length === 0 ? null : (
        <section className="caution dangers" data-testid="consent-raised">
          <p>{t("consent.raised.title")}</p>
          <ul>
            {raised.map((why) => (
              <li key={why} data-raised={why}>
                {t(`consent.raised.${why}`)}
              </li>
            ))}
          </ul>
        </section>
      )}
      {elsewhere.length === 0 ? null : (
        <section className="arguments" data-testid="consent-leads-to">
          <h3>{t("consent.leads_to")}</h3>
          <ValueRows rows={argumentRows(Object.fromEntries(elsewhere))} />
        </section>
      )}
    </>
  );
}

interface DangerListProps {
  readonly toolName: string;
  readonly args: JsonObject;
}

/** What of a command is known to have done harm, and that this is not all it may do. */
function DangerList({ toolName, args: { argv, line } }: DangerListProps) {
  const { t } = useTexts();
  const words = line === undefined ? argv : ["sh", "-c", line];
  if (toolName !== "run_command" || !Array.isArray(words)) return null;
  const dangers = commandDangers(words.filter((word) => typeof word === "string"));
  if (dangers.length === 0) return null;
  return (
    <section className="caution dangers" data-testid="consent-dangers">
      <p>{t("consent.dangers_found")}</p>
      <ul>
        {dangers.map((danger) => (
          <li key={danger} data-danger={danger}>
            {t(`consent.danger.${danger}`)}
          </li>
        ))}
      </ul>
      <p>{t("consent.dangers_rest")}</p>
    </section>
  );
}
