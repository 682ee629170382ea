import type { DiffHunk } from "../../app/contract/consent-preview.ts";
import type { PatchedFile } from "../../app/contract/patch-files.ts";
import { useTexts } from "../language.tsx";
import { MarkedText, VisibleText } from "../parts/visible-text.tsx";
import { hasUnseen } from "../text/visible-text.ts";
import { type DrawnLine, numberedLines, pairedLines } from "./diff-lines.ts";

const SIGNS = { same: " ", added: "+", removed: "−" } as const;

/** What a patch says of one file, whose lines have no numbers. */
export const PatchedLines = ({ at, lines }: PatchedFile["hunks"][number]) => (
  <table className="diff" aria-label={at}>
    <tbody>
      {at === "" ? null : (
        <tr data-kind="same">
          <td className="sign">@@</td>
          <VisibleText within="td" className="line" text={at} block />
        </tr>
      )}
      {pairedLines(numberedLines({ old_start: 1, new_start: 1, lines })).map((line) => (
        <DiffRow {...line} unnumbered key={`${line.old_line ?? ""} ${line.new_line ?? ""}`} />
      ))}
    </tbody>
  </table>
);

/** The whole difference. Every line shows what it is by a sign and words, not only by colour. */
export function DiffView({ hunks }: { readonly hunks: readonly DiffHunk[] }) {
  const { t } = useTexts();
  if (hunks.length === 0) return <p className="muted">{t("consent.diff.none")}</p>;
  const unseen = hunks.some(({ lines }) => lines.some(({ text }) => hasUnseen(text)));
  return (
    <>
      {hunks.map((hunk) => (
        <table
          className="diff"
          key={`${hunk.old_start} ${hunk.new_start}`}
          aria-label={t("consent.diff.from_line", { line: hunk.new_start })}
        >
          <tbody>
            {pairedLines(numberedLines(hunk)).map((line) => (
              <DiffRow {...line} key={`${line.old_line ?? ""} ${line.new_line ?? ""}`} />
            ))}
          </tbody>
        </table>
      ))}
      {unseen ? <p className="caution">{t("consent.escapes_note")}</p> : null}
    </>
  );
}

interface DiffRowProps extends DrawnLine {
  readonly unnumbered?: boolean;
}

function DiffRow({ kind, text, no_newline, old_line, new_line, pieces, unnumbered }: DiffRowProps) {
  const { t } = useTexts();
  return (
    <tr data-kind={kind}>
      {unnumbered ? null : (
        <>
          <td className="line-number">{old_line}</td>
          <td className="line-number">{new_line}</td>
        </>
      )}
      <td className="sign">
        <span aria-hidden="true">{SIGNS[kind]}</span>
        <span className="unseen">{t(`consent.diff.${kind}`)}</span>
      </td>
      <td className="line">
        {pieces === null ? <VisibleText text={text} block /> : <MarkedText pieces={pieces} />}
        {no_newline ? <span className="muted"> {t("consent.diff.no_newline")}</span> : null}
      </td>
    </tr>
  );
}
