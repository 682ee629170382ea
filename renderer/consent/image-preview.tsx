import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import type { JsonValue } from "../../app/contract/json.ts";
import { useTexts } from "../language.tsx";
import { byteSize } from "../text/format-size.ts";

interface ImagePreviewProps {
  readonly image: Extract<ConsentPreview, { kind: "image" }>;
  /** The argument from which the host read the picture's size. */
  readonly base64: JsonValue | undefined;
}

/** The picture itself, from the bytes that are digested; never loaded from anywhere. */
export function ImagePreview({ image, base64 }: ImagePreviewProps) {
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
