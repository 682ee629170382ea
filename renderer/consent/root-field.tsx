import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { CallFold } from "../parts/fold.tsx";
import { FolderField, type FolderHelp, PathCautions } from "../parts/path-field.tsx";
import type { GivenRoot } from "./offers.ts";

type Wanted = NonNullable<ConsentCard["root_wanted"]>;

/** At first the least that will do: the file alone if that is enough, for this request. */
export const suggestedRoot = ({ root_wanted }: ConsentCard): GivenRoot | null =>
  root_wanted && {
    path: root_wanted.suggested_path,
    terms: { only_file: root_wanted.file !== null, access: root_wanted.access, time: "once" },
  };

interface RootFieldProps {
  readonly wanted: Wanted;
  readonly given: GivenRoot;
  readonly onChange: (given: GivenRoot) => void;
  readonly help: FolderHelp;
  /** The element that says what is given. */
  readonly describedBy: string;
}

/** What to open instead. The suggestion is the agent's, so it is checked like an argument. */
export function RootField({ wanted, given, onChange, help, describedBy }: RootFieldProps) {
  const { t } = useTexts();
  const { path, terms } = given;
  const set = (part: Partial<GivenRoot["terms"]>): void =>
    onChange({ path, terms: { ...terms, ...part } });
  const what = terms.only_file ? "file" : "folder";
  return (
    <CallFold title={t("consent.root_change")} testId="consent-root-change">
      <div className="root-field">
        <div className="root-choices">
          {wanted.file === null ? null : (
            <Choice
              className="field"
              label={t("consent.root_what")}
              chosen={what}
              options={(["file", "folder"] as const).map((word) => ({
                word,
                label: t(`consent.root_only.${word}`),
              }))}
              onChoose={(word) => set({ only_file: word === "file" })}
              testId="consent-root-what"
            />
          )}
          {wanted.access === "read_write" ? null : (
            <Choice
              className="field"
              label={t("consent.root_access")}
              chosen={terms.access}
              options={(["read", "read_write"] as const).map((word) => ({
                word,
                label: t(`permissions.root_access.${word}`),
              }))}
              onChoose={(access) => set({ access })}
              testId="consent-root-access"
            />
          )}
        </div>
        {terms.only_file ? null : (
          <div className="root-line">
            <FolderField
              help={help}
              label={t("consent.root_label")}
              seenLabel
              describedBy={describedBy}
              testId="consent-root"
              value={path}
              onChange={(next) => onChange({ path: next, terms })}
            />
          </div>
        )}
      </div>
      {terms.only_file ? null : <PathCautions path={path} />}
    </CallFold>
  );
}
