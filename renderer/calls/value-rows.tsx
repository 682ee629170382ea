import { useState } from "react";
import { Button } from "react-aria-components";
import { scriptAt } from "../../app/contract/target/command-dangers.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { type ArgumentRow, splitForEmphasis, suspiciousWords } from "../text/argument-rows.ts";
import { cutText, hasUnseen, visibleBlock } from "../text/visible-text.ts";

/** Short values are shown beside their names instead of below. */
const SHORT = /^.{0,40}$/;
/** Maximum characters of a content shown at first. */
const DRAWN = 20_000;

interface ValueRowsProps {
  readonly rows: readonly ArgumentRow[];
  /**
   * For reading only, with nothing to decide on: a very long one is shown completely only on
   * request, and its words are not checked for mixed scripts.
   */
  readonly content?: boolean;
}

/** Named values from outside, each complete, with invisible characters made visible. */
export function ValueRows({ rows, content = false }: ValueRowsProps) {
  const { t } = useTexts();
  return (
    <>
      <dl data-content={content}>
        {rows.map((row) => (
          <Value row={row} content={content} key={row.name} />
        ))}
      </dl>
      {rows.some((row) => hasUnseen(row.text) || hasUnseen(row.name)) ? (
        <p className="caution">{t("consent.escapes_note")}</p>
      ) : null}
    </>
  );
}

function Value({ row, content }: Readonly<{ row: ArgumentRow; content: boolean }>) {
  const { t } = useTexts();
  if (row.lines !== null) return <ListValue row={row} lines={row.lines} />;
  if (content && row.text.length > DRAWN) return <FoldedValue row={row} />;
  const [before, part, after] = splitForEmphasis(row);
  return (
    <div className="argument" data-kind={row.kind} data-short={SHORT.test(row.text)}>
      <VisibleText within="dt" text={row.name} />
      <dd>
        {row.text === "" ? <span className="muted">{t("consent.empty_value")}</span> : null}
        {before === "" ? null : <VisibleText text={before} block />}
        {part === "" ? null : <VisibleText within="strong" text={part} block />}
        {after === "" ? null : <VisibleText text={after} block />}
      </dd>
      {content ? null : <MixedScripts row={row} />}
    </div>
  );
}

function FoldedValue({ row }: { readonly row: ArgumentRow }) {
  const { t, language } = useTexts();
  const [whole, setWhole] = useState(false);
  return (
    <div className="argument" data-kind={row.kind}>
      <VisibleText within="dt" text={row.name} />
      <dd>
        {whole ? (
          <bdi className="agent-text">{visibleBlock(row.text)}</bdi>
        ) : (
          <VisibleText text={cutText(row.text, DRAWN)} block />
        )}
      </dd>
      {whole ? null : (
        <dd className="value-rest">
          <Button data-testid="value-unfold" onPress={() => setWhole(true)}>
            {t("conversations.unfold", { count: row.text.length.toLocaleString(language) })}
          </Button>
        </dd>
      )}
    </div>
  );
}

/** A word with letters of two scripts may look like a different word. */
function MixedScripts({ row }: { readonly row: ArgumentRow }) {
  const { t } = useTexts();
  return suspiciousWords(row).map((word) => (
    <dd className="caution" key={word}>
      {t("consent.mixed_script", { word })}
    </dd>
  ));
}

/** Numbered: an empty text, or one with line breaks, is one entry too. Scripts are set apart. */
function ListValue({ row, lines }: Readonly<{ row: ArgumentRow; lines: readonly string[] }>) {
  const { t } = useTexts();
  const script = scriptAt(lines);
  return (
    <div className="argument" data-kind="list">
      <VisibleText within="dt" text={row.name} />
      <dd>
        <ol>
          {lines.map((line, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: lines are identified by their position; the list never changes
            <li key={index} className={index === script ? "script" : undefined}>
              {index === script ? <span className="script-name">{t("consent.script")}</span> : null}
              {line === "" ? (
                <span className="muted">{t("consent.empty_value")}</span>
              ) : (
                <VisibleText text={line} block />
              )}
            </li>
          ))}
        </ol>
      </dd>
      <MixedScripts row={row} />
    </div>
  );
}
