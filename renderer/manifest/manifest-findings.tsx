import type { ManifestCheckView, NewManifestView } from "../../app/bridge/manifest-views.ts";
import { useTexts } from "../language.tsx";
import { ReadFailure } from "../parts/empty.tsx";
import { byteSize } from "../text/format.ts";
import { visibleString } from "../text/visible-text.ts";
import { ManifestDiff } from "./manifest-diff.tsx";
import type { CheckState } from "./manifest-editor.tsx";
import { ManifestRemarks } from "./manifest-remarks.tsx";

interface ManifestFindingsProps {
  readonly id: string;
  readonly state: CheckState<ManifestCheckView>;
  readonly onGo: (line: number, column: number) => void;
}

export function ManifestFindings({ id, state, onGo }: ManifestFindingsProps) {
  const { t } = useTexts();
  const { check } = state;
  return (
    <div className="manifest-findings" id={id}>
      <ManifestVerdict state={state} testId="manifest-verdict" />
      {check === null ? null : (
        <>
          <ManifestRemarks
            problems={check.problems}
            warnings={check.warnings}
            level={4}
            onGo={onGo}
          />
          {check.digest === null ? null : (
            <>
              <p className="muted">
                {t("manifest.versions", {
                  present: visibleString(check.agent_version.present),
                  pasted: visibleString(check.agent_version.pasted ?? "–"),
                })}
              </p>
              <ManifestDiff changes={check.changes} inAll={check.changes_in_all} />
            </>
          )}
        </>
      )}
    </div>
  );
}

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
