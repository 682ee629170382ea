import { assertNever } from "../../app/contract/assert-never.ts";
import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import type { JsonObject, JsonValue } from "../../app/contract/json.ts";
import { useTexts } from "../language.tsx";
import { reasonText } from "../text/codes.ts";
import { byteSize } from "../text/format.ts";
import { DiffView } from "./diff-view.tsx";

interface CardPreviewProps {
  readonly preview: Exclude<ConsentPreview, { kind: "command" }>;
  readonly toolName: string;
  readonly args: JsonObject;
}

export function CardPreview({ preview, toolName, args }: CardPreviewProps) {
  return (
    <div className="preview" data-testid="consent-preview">
      <PreviewBody preview={preview} toolName={toolName} args={args} />
    </div>
  );
}

function PreviewBody({ preview, toolName, args }: CardPreviewProps) {
  const { t } = useTexts();
  switch (preview.kind) {
    case "text_change":
      return <DiffView hunks={preview.hunks} />;
    case "bytes_change":
      return (
        <>
          <SizeLine {...preview} />
          <p className="caution">{t("consent.bytes_note")}</p>
        </>
      );
    case "entry":
      return <EntryLine entry={preview} toolName={toolName} />;
    case "image":
      return <ImagePreview image={preview} base64={args.image} />;
    case "not_shown":
      return (
        <p className="caution">{t("consent.not_shown", { reason: reasonText(t, preview.word) })}</p>
      );
    default:
      return assertNever(preview);
  }
}

type Change = Extract<ConsentPreview, { kind: "text_change" | "bytes_change" }>;

export function SizeLine({
  change,
  size_before,
  size_after,
}: Pick<Change, "change" | "size_before" | "size_after">) {
  const { t, language } = useTexts();
  const after = byteSize(language, size_after);
  if (size_before === null) return <p>{t("consent.change.create", { after })}</p>;
  return <p>{t(`consent.change.${change}`, { before: byteSize(language, size_before), after })}</p>;
}

interface EntryLineProps {
  readonly entry: Extract<ConsentPreview, { kind: "entry" }>;
  readonly toolName: string;
}

function EntryLine({ entry, toolName }: EntryLineProps) {
  const { t, language } = useTexts();
  const { entries, size_bytes, overwrites } = entry;
  const size = size_bytes === null ? null : byteSize(language, size_bytes);
  return (
    <>
      <p>
        {entry.entry === "directory"
          ? entries === null
            ? t("consent.entry.directory_large")
            : t("consent.entry.directory", { count: entries })
          : size === null
            ? t("consent.entry.file")
            : t("consent.entry.file_sized", { size })}
      </p>
      {overwrites ? <p className="caution">{t("consent.entry.overwrites")}</p> : null}
      {toolName === "delete_file" ? <p>{t("consent.entry.to_trash")}</p> : null}
      {toolName === "delete_file" && entry.entry === "directory" ? (
        <p>{t("consent.entry.not_kept")}</p>
      ) : null}
    </>
  );
}

interface ImagePreviewProps {
  readonly image: Extract<ConsentPreview, { kind: "image" }>;
  /** The argument from which the host read the picture's size. */
  readonly base64: JsonValue | undefined;
}

/** The picture itself, from the bytes that are digested; never loaded from anywhere. */
function ImagePreview({ image, base64 }: ImagePreviewProps) {
  const { t, language } = useTexts();
  const { width, height } = image;
  const size = byteSize(language, image.size_bytes);
  return (
    <>
      <p>{t("consent.image.facts", { width, height, size })}</p>
      {image.drawable && typeof base64 === "string" ? (
        <img
          className="preview-image"
          src={`data:image/png;base64,${base64}`}
          alt={t("consent.image.alt")}
          data-testid="consent-image"
        />
      ) : (
        <p className="caution">{t("consent.image.too_large")}</p>
      )}
    </>
  );
}
