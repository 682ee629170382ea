import type { NewManifestView } from "../../app/bridge/manifest-views.ts";
import { useTexts } from "../language.tsx";
import { ReadFailure } from "../parts/read-failure.tsx";
import { byteSize } from "../text/format-size.ts";
import type { CheckState } from "./use-manifest-check.ts";

interface ManifestVerdictProps {
  readonly state: CheckState<Pick<NewManifestView, "problems" | "bytes">>;
  readonly testId: string;
}

/** In a sentence, whether a manifest can be used; where that could not be found out, a way to try again. */
export function ManifestVerdict({ state, testId }: ManifestVerdictProps) {
  const { t, language } = useTexts();
  const { check, failure, checking, again } = state;
  return (
    <>
      <p role="status" className="muted" data-testid={testId}>
        {checking ? t("manifest.checking") : null}
        {check === null
          ? null
          : check.problems.length > 0
            ? t("manifest.not_usable", { count: check.problems.length })
            : t("manifest.usable", { size: byteSize(language, check.bytes) })}
      </p>
      {failure === null ? null : (
        <ReadFailure code={failure} words={t("manifest.not_checked")} onRetry={again} />
      )}
    </>
  );
}
