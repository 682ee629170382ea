import type { ComponentProps } from "react";
import type { ExtraProps } from "react-markdown";
import { useTexts } from "../../language.tsx";
import { VisibleText } from "../../parts/visible-text.tsx";
import { CopyIconButton } from "../copy-icon-button.tsx";

/**
 * A link or picture in a message: its text, then its full address as text, which can only be
 * copied. Other spans are drawn unchanged.
 */
export function AddressedText({ node, children, ...rest }: ComponentProps<"span"> & ExtraProps) {
  const { t } = useTexts();
  const address = node?.properties.dataAddress;
  if (typeof address !== "string") return <span {...rest}>{children}</span>;
  const image = rest.className === "md-image";
  const told = node?.properties.dataTold === true;
  return (
    <span className={rest.className}>
      {image ? <span className="md-kind">{t("conversations.image_not_loaded")} </span> : null}
      <span className="md-words">{children}</span>
      {told || address === "" ? null : (
        <span className="md-address mono">
          {" "}
          ‹<VisibleText text={address} />›
        </span>
      )}
      {address === "" ? null : (
        <CopyIconButton text={address} label={t("conversations.copy_address")} />
      )}
    </span>
  );
}
