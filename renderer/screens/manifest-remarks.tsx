import type { PairingView } from "../../app/bridge/views.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

type ManifestRemarksProps = Pick<PairingView, "problems" | "warnings">;

/** What is wrong with an agent's manifest, and what is only worth knowing. */
export function ManifestRemarks({ problems, warnings }: ManifestRemarksProps) {
  const { t } = useTexts();
  return (
    <>
      {problems.length === 0 ? null : (
        <Remarks
          title={t("pairing.problems")}
          lines={problems.map((each) => ({ ...each, words: t(`problem.${each.code}`) }))}
          severe
        />
      )}
      {warnings.length === 0 ? null : (
        <Remarks
          title={t("manifest.warnings")}
          lines={warnings.map((each) => ({ ...each, words: t(`warning.${each.code}`) }))}
        />
      )}
    </>
  );
}

interface Line {
  readonly pointer: string;
  readonly detail?: string;
  readonly words: string;
}

interface RemarksProps {
  readonly title: string;
  readonly lines: readonly Line[];
  readonly severe?: boolean;
}

function Remarks({ title, lines, severe = false }: RemarksProps) {
  return (
    <div className={severe ? "remarks remarks-severe" : "remarks"}>
      <h3>{title}</h3>
      <ul>
        {lines.map((line) => (
          <li key={`${line.pointer} ${line.words} ${line.detail ?? ""}`}>
            {line.words}{" "}
            <code>
              <VisibleText text={line.detail ?? line.pointer} />
            </code>
          </li>
        ))}
      </ul>
    </div>
  );
}
