import { Button, Label, ProgressBar } from "react-aria-components";
import type {
  BlockView,
  ConversationView,
  FileView,
  MessageItem,
} from "../../../app/bridge/conversation-views.ts";
import { ScrollBox } from "../../calls/scroll-box.tsx";
import { useHost } from "../../host-context.tsx";
import { type Texts, useTexts } from "../../language.tsx";
import { useSave } from "../../parts/files.ts";
import { CallFold } from "../../parts/fold.tsx";
import { Icon } from "../../parts/icon.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { byteSize, numberFormat, numberText } from "../../text/format.ts";
import { visibleString } from "../../text/visible-text.ts";
import { AgentText, OwnText } from "../message-text.tsx";

interface ArtifactBlockProps {
  readonly block: BlockView;
  readonly item: MessageItem;
  readonly view: ConversationView;
}

const STATUS_ICON = { info: "note", success: "ok", warning: "medium", danger: "error" } as const;

export function ArtifactBlockView({ block, item, view }: ArtifactBlockProps) {
  const { t } = useTexts();
  switch (block.tag) {
    case "text":
      return block.markdown === false ? (
        <OwnText text={block.text} whole={null} />
      ) : (
        <AgentText text={block.text} whole={null} />
      );
    case "divider":
      return <hr className="artifact-divider" />;
    case "status": {
      const variant = block.variant ?? "info";
      return (
        <p className="artifact-status" data-variant={variant} data-testid="artifact-status">
          <Icon name={STATUS_ICON[variant]} />
          <VisibleText text={block.text} />
        </p>
      );
    }
    case "progress":
      return <BlockProgress label={block.label} value={block.value} />;
    case "table":
      return <ArtifactTable block={block} />;
    case "code":
      return (
        <figure className="artifact-code">
          {block.label === undefined ? null : (
            <VisibleText within="figcaption" text={block.label} />
          )}
          <ScrollBox
            label={visibleString(block.label ?? t("artifact.code"))}
            testId="artifact-code"
          >
            <VisibleText within="pre" className="mono" text={block.text} block />
          </ScrollBox>
        </figure>
      );
    case "file":
      return <SavedFile file={block} item={item} view={view} />;
    case "unknown":
      return (
        <CallFold title={t("artifact.unknown")} testId="artifact-unknown">
          <VisibleText within="pre" className="mono artifact-raw" text={block.json} block />
        </CallFold>
      );
    default:
      // Fields and actions are drawn by the form.
      return null;
  }
}

function BlockProgress({ label, value }: Readonly<{ label: string; value: number | undefined }>) {
  const { language } = useTexts();
  const percent = (value ?? 0) / 100;
  return (
    <ProgressBar
      className="artifact-progress"
      data-testid="artifact-progress"
      isIndeterminate={value === undefined}
      value={value ?? 0}
    >
      <Label>
        <VisibleText text={label} />
      </Label>
      {value === undefined ? null : (
        <span className="muted">
          {numberFormat(language, { style: "percent", maximumFractionDigits: 0 }).format(percent)}
        </span>
      )}
      <div className="artifact-track">
        <div style={{ inlineSize: value === undefined ? "30%" : `${value}%` }} />
      </div>
    </ProgressBar>
  );
}

function SavedFile({ file, item, view }: Omit<ArtifactBlockProps, "block"> & { file: FileView }) {
  const { t, language } = useTexts();
  const { bridge } = useHost();
  const save = useSave();
  const { conversation_id } = view;
  const named = { conversation_id, item_id: item.item_id, key: file.key };
  return (
    <div className="artifact-file" data-testid="artifact-file">
      <span className="artifact-file-name">
        <VisibleText text={file.filename} />
        <span className="muted">{byteSize(language, file.bytes)}</span>
      </span>
      <Button
        data-testid="artifact-save"
        onPress={() => void save(bridge.call("conversations.file", named))}
      >
        {t("artifact.save_file")}
      </Button>
    </div>
  );
}

type TableView = Extract<BlockView, { readonly tag: "table" }>;
type Cell = TableView["rows"][number][number];

/** Rows to read: nothing in them can be chosen. */
function ArtifactTable({ block }: { readonly block: TableView }) {
  const texts = useTexts();
  const label = visibleString(block.label ?? texts.t("artifact.table"));
  return (
    <ScrollBox label={label} testId="artifact-table">
      <table className="artifact-table">
        {block.label === undefined ? null : <VisibleText within="caption" text={block.label} />}
        <thead>
          <tr>
            {block.columns.map((column, index) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: a column is its place
              <VisibleText within="th" scope="col" key={index} text={column} />
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
