import type { ConsentPreview } from "../../app/contract/consent-preview.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface CommandPreviewProps {
  readonly command: Extract<ConsentPreview, { kind: "command" }>;
}

/** Which program would run, and how much of the computer it could access. */
export function CommandPreview({ command }: CommandPreviewProps) {
  const { t } = useTexts();
  const { sandbox, network } = command;
  return (
    <>
      <dl className="facts">
        <div>
          <dt>{t("consent.command.program")}</dt>
          <dd className="mono path">
            <VisibleText text={command.program} />
          </dd>
        </div>
      </dl>
      <p className={sandbox === null ? "caution" : undefined} data-testid="consent-sandbox">
        {sandbox === null ? t("consent.command.no_sandbox") : t(`consent.command.${sandbox}`)}
      </p>
      <p className={network ? "caution" : undefined}>
        {network ? t("consent.command.network") : t("consent.command.no_network")}
      </p>
    </>
  );
}
