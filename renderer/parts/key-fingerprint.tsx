import type { KeyMark } from "../../app/contract/key-mark.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "./visible-text.tsx";

/** The key that distinguishes an agent from others with its name, or why there is none. */
export function KeyFingerprint({ mark }: { readonly mark: KeyMark }) {
  const { t } = useTexts();
  if (mark.kind !== "known") {
    return (
      <span className="fingerprint" data-testid="fingerprint" data-key={mark.kind}>
        {t(`agents.key_is.${mark.kind}`)}
      </span>
    );
  }
  return (
    <span
      className="fingerprint"
      title={t("agents.fingerprint")}
      data-testid="fingerprint"
      data-key={mark.kind}
    >
      <span className="unseen">{t("agents.fingerprint")} </span>
      <VisibleText text={mark.fingerprint} />
    </span>
  );
}
