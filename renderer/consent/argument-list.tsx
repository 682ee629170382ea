import { useId } from "react";
import type { JsonObject } from "../../app/contract/json.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import {
  type ArgumentRow,
  argumentRows,
  splitForEmphasis,
  suspiciousWords,
} from "../text/argument-rows.ts";
import { hasUnseen } from "../text/visible-text.ts";

/** Every argument, complete: long ones scroll, none is cut. */
export function ArgumentList({ args }: { readonly args: JsonObject }) {
  const { t } = useTexts();
  const heading = useId();
  const rows = argumentRows(args);
  return (
    <section className="arguments" aria-labelledby={heading} data-testid="consent-arguments">
      <h3 id={heading}>{t("consent.arguments")}</h3>
      {rows.length === 0 ? <p className="muted">{t("consent.no_arguments")}</p> : null}
      <dl>
        {rows.map((row) => (
          <Argument row={row} key={row.name} />
        ))}
      </dl>
      {rows.some((row) => hasUnseen(row.text) || hasUnseen(row.name)) ? (
        <p className="caution">{t("consent.escapes_note")}</p>
      ) : null}
    </section>
  );
}

function Argument({ row }: { readonly row: ArgumentRow }) {
  const { t } = useTexts();
  const [before, part, after] = splitForEmphasis(row);
  if (row.lines !== null) return <ListArgument row={row} lines={row.lines} />;
  return (
    <div className="argument" data-kind={row.kind}>
      <dt>
        <VisibleText text={row.name} />
      </dt>
      <dd>
        {row.text === "" ? <span className="muted">{t("consent.empty_value")}</span> : null}
        {before === "" ? null : <VisibleText text={before} block />}
        {part === "" ? null : (
          <strong>
            <VisibleText text={part} block />
          </strong>
        )}
        {after === "" ? null : <VisibleText text={after} block />}
      </dd>
      <MixedScripts row={row} />
    </div>
  );
}

/** Letters of two scripts in one word may look like a word they are not. */
function MixedScripts({ row }: { readonly row: ArgumentRow }) {
  const { t } = useTexts();
  return suspiciousWords(row).map((word) => (
    <dd className="caution" key={word}>
      {t("consent.mixed_script", { word })}
    </dd>
  ));
}

interface ListArgumentProps {
  readonly row: ArgumentRow;
  readonly lines: readonly string[];
}

/** Numbered, so that an empty text and one with a line break in it are still one line each. */
function ListArgument({ row, lines }: ListArgumentProps) {
  const { t } = useTexts();
  return (
    <div className="argument" data-kind="list">
      <dt>
        <VisibleText text={row.name} />
      </dt>
      <dd>
        <ol>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place; the list never changes
            <li key={index}>
              {line === "" ? (
                <span className="muted">{t("consent.empty_value")}</span>
              ) : (
                <VisibleText text={line} />
              )}
            </li>
          ))}
        </ol>
      </dd>
      <MixedScripts row={row} />
    </div>
  );
}
