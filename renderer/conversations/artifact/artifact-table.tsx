import type { BlockView } from "../../../app/bridge/conversation-views.ts";
import { ScrollBox } from "../../calls/scroll-box.tsx";
import { type Texts, useTexts } from "../../language.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { numberText } from "../../text/number-text.ts";
import { visibleString } from "../../text/visible-text.ts";

type TableView = Extract<BlockView, { readonly tag: "table" }>;
type Cell = TableView["rows"][number][number];

/** Rows to read: nothing in them can be chosen. */
export function ArtifactTable({ block }: { readonly block: TableView }) {
  const texts = useTexts();
  const label = visibleString(block.label ?? texts.t("artifact.table"));
  return (
    <ScrollBox label={label} testId="artifact-table">
      <table className="artifact-table">
        {block.label === undefined ? null : (
          <caption>
            <VisibleText text={block.label} />
          </caption>
        )}
        <thead>
          <tr>
            {block.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <th scope="col" key={index}>
                <VisibleText text={column} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {block.rows.map((row, line) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place
            <tr key={line}>
              {row.map((cell, index) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a cell is its place
                <td key={index} data-number={typeof cell === "number"} dir="auto">
                  <VisibleText text={cellText(texts, cell)} block />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollBox>
  );
}

function cellText({ t, language }: Texts, cell: Cell): string {
  if (cell === null) return "–";
  if (typeof cell === "string") return cell;
  if (typeof cell === "boolean") return cell ? t("artifact.yes") : t("artifact.no");
  return numberText(language, cell);
}
