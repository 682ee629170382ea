import type { ManifestCheckView } from "../../app/bridge/manifest-views.ts";
import { useTexts } from "../language.tsx";
import { visibleString } from "../text/visible-text.ts";
import { ManifestDiff } from "./manifest-diff.tsx";
import { ManifestRemarks } from "./manifest-remarks.tsx";
import { ManifestVerdict } from "./manifest-verdict.tsx";
import type { CheckState } from "./use-manifest-check.ts";

interface ManifestFindingsProps {
  readonly id: string;
  readonly state: CheckState<ManifestCheckView>;
  readonly onGo: (line: number, column: number) => void;
}

/** The result of a check: every problem, or else what the manifest would change. */
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
