import { Button, Heading } from "react-aria-components";
import type { ManifestRemarkView } from "../../app/bridge/manifest-views.ts";
import { MANIFEST_PROBLEMS, MANIFEST_WARNINGS } from "../../app/contract/manifest-remarks.ts";
import type { Translate } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "../parts/visible-text.tsx";
import { visibleString } from "../text/visible-text.ts";

/** Without a position: there is no text in which to go to it. */
type Remark = Pick<ManifestRemarkView, "pointer" | "code"> & Partial<ManifestRemarkView>;

interface ManifestRemarksProps {
  /** The heading of the problems, where more than the word is wanted. */
  readonly title?: string;
  readonly problems?: readonly Remark[];
  readonly warnings: readonly Remark[];
  /** The level of both headings. */
  readonly level?: number;
  /** Moves to a remark's position in the text. */
  readonly onGo?: (line: number, column: number) => void;
}

/** What is wrong with an agent's manifest, and what is only worth knowing (contract §5). */
export function ManifestRemarks(props: ManifestRemarksProps) {
  const { title, problems = [], warnings, ...shown } = props;
  const { t } = useTexts();
  return (
    <>
      <RemarkList title={title ?? t("manifest.problems")} remarks={problems} severe {...shown} />
      <RemarkList title={t("manifest.warnings")} remarks={warnings} severe={false} {...shown} />
    </>
  );
}

interface RemarkListProps extends Pick<ManifestRemarksProps, "level" | "onGo"> {
  readonly title: string;
  readonly remarks: readonly Remark[];
  readonly severe: boolean;
}

function RemarkList({ title, remarks, severe, level = 3, onGo }: RemarkListProps) {
  const { t } = useTexts();
  if (remarks.length === 0) return null;
  return (
    <section
      className={severe ? "remarks remarks-severe" : "remarks"}
      data-testid={severe ? "manifest-problems" : "manifest-warnings"}
    >
      <Heading level={level}>
        {title} ({remarks.length})
      </Heading>
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
              {remark.detail == null ? null : (
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

function Place(props: Readonly<{ remark: Remark; onGo: ManifestRemarksProps["onGo"] }>) {
  const {
    remark: { pointer, line, column },
    onGo,
  } = props;
  const { t } = useTexts();
  const words = (
    <code>{pointer === "" ? t("manifest.whole") : <VisibleText text={pointer} />}</code>
  );
  if (line == null || onGo === undefined) return words;
  const at = t("manifest.at_line", { line, column: column ?? 1 });
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
