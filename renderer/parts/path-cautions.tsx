import { mixedScriptWords } from "../../app/contract/mixed-scripts.ts";
import { useTexts } from "../language.tsx";
import { hasUnseen, visibleString } from "../text/visible-text.ts";

/** What may deceive in a path that an agent suggested, beside the field that holds it. */
export function PathCautions({ path }: { readonly path: string }) {
  const { t } = useTexts();
  return (
    <>
      {hasUnseen(path) ? <p className="caution mono">{visibleString(path)}</p> : null}
      {mixedScriptWords(path).map((word) => (
        <p className="caution" key={word}>
          {t("consent.mixed_script", { word })}
        </p>
      ))}
    </>
  );
}
