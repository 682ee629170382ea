import { Button } from "react-aria-components";
import type { ManifestRemarkView } from "../../app/bridge/manifest-views.ts";
import { MANIFEST_PROBLEMS, MANIFEST_WARNINGS } from "../../app/contract/manifest-remarks.ts";
import type { Translate } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";

interface RemarkListProps {
  readonly title: string;
  readonly remarks: readonly ManifestRemarkView[];
  readonly severe: boolean;
  readonly id?: string;
  /** Moves to a remark's position in the text; absent: positions are only shown. */
  readonly onGo?: (line: number, column: number) => void;
}

/** All remarks about a manifest, each with its position (contract §5). */
export function RemarkList({ title, remarks, severe, id, onGo }: RemarkListProps) {
  const { t } = useTexts();
  if (remarks.length === 0) return null;
  return (
    <section
      id={id}
      className={severe ? "remarks remarks-severe remark-list" : "remarks remark-list"}
      data-testid={severe ? "manifest-problems" : "manifest-warnings"}
    >
      <h4>
        {title} ({remarks.length})
      </h4>
      <ul>
        {remarks.map((remark) => (
          <li
            key={`${remark.pointer} ${remark.code} ${remark.detail ?? ""}`}
            data-testid="manifest-remark"
            data-code={remark.code}
            data-pointer={remark.pointer}
          >
            <span>
              {remarkText(t, remark.code)}
              {remark.detail === null ? null : (
                <>
                  {": "}
                  <VisibleText text={remark.detail} />
                </>
              )}
            </span>
            <Place remark={remark} onGo={onGo} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface PlaceProps {
  readonly remark: ManifestRemarkView;
  readonly onGo: RemarkListProps["onGo"];
}

function Place({ remark: { pointer, line, column }, onGo }: PlaceProps) {
  const { t } = useTexts();
  const words = (
    <code>{pointer === "" ? t("manifest.whole") : <VisibleText text={pointer} />}</code>
  );
  if (line === null) return words;
  const at = t("manifest.at_line", { line, column: column ?? 1 });
  if (onGo === undefined) {
    return (
      <>
        {words} <span className="muted">{at}</span>
      </>
    );
  }
  return (
    <Button
      className="quiet remark-place"
      aria-label={`${visibleString(pointer)}, ${at}`}
      onPress={() => onGo(line, column ?? 1)}
    >
      {words} <span className="muted">{at}</span>
    </Button>
  );
}

/** A code in words; an unknown code of a newer host is shown as it is. */
function remarkText(t: Translate, code: string): string {
  const problem = MANIFEST_PROBLEMS.find((each) => each === code);
  if (problem !== undefined) return t(`problem.${problem}`);
  const warning = MANIFEST_WARNINGS.find((each) => each === code);
  return warning === undefined ? visibleString(code) : t(`warning.${warning}`);
}
