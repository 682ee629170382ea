import { useId } from "react";
import type { RootTerms } from "../../app/bridge/calls.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { ROOT_TIMES } from "../../app/contract/rule.ts";
import { useTexts } from "../language.tsx";
import { Choice } from "../parts/choice.tsx";
import { FolderField, type FolderHelp, PathCautions } from "../parts/path-field.tsx";

type Wanted = NonNullable<ConsentCard["root_wanted"]>;

/** What an approval gives the agent besides this call. */
export interface GivenRoot {
  readonly path: string;
  readonly terms: RootTerms;
}

/** At first the folder that the call needs, with no more access than it needs; of a high one, for it alone. */
export const suggestedRoot = ({ root_wanted, sensitivity }: ConsentCard): GivenRoot | null =>
  root_wanted && {
    path: root_wanted.suggested_path,
    terms: {
      only_file: false,
      access: root_wanted.access,
      time: sensitivity === "high" ? "once" : "always",
    },
  };

interface RootFieldProps {
  /** The agent's displayed name. */
  readonly agent: string;
  readonly wanted: Wanted;
  readonly given: GivenRoot;
  readonly onChange: (given: GivenRoot) => void;
  readonly help: FolderHelp;
}

/**
 * What an approval gives the agent: a file or a folder, to read or to change, and for how long. The
 * suggestion comes from the agent's call, so it is checked like an argument.
 */
export function RootField({ agent, wanted, given, onChange, help }: RootFieldProps) {
  const { t, gap } = useTexts();
  const { path, terms } = given;
  const set = (part: Partial<RootTerms>): void => onChange({ path, terms: { ...terms, ...part } });
  const id = useId();
  const what = terms.only_file ? "file" : "folder";
  const gets = `${what}_${terms.access}` as const;
  return (
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
        <Choice
          className="field"
          label={t("rules.field.time")}
          chosen={terms.time}
          options={ROOT_TIMES.map((word) => ({
            word,
            label: word === "once" ? t("consent.root_once") : t(`rules.time.${word}`),
          }))}
          onChoose={(time) => set({ time })}
          testId="consent-root-time"
        />
      </div>
      {terms.only_file ? null : (
        <>
          <div className="root-line">
            <FolderField
              help={help}
              label={t("consent.root_label")}
              seenLabel
              describedBy={`${id}-means`}
              testId="consent-root"
              value={path}
              onChange={(next) => onChange({ path: next, terms })}
            />
          </div>
          <PathCautions path={path} />
        </>
      )}
      <p className="muted" id={`${id}-means`} data-testid="consent-root-means">
        {t(`consent.root_gets.${gets}`, { agent }) + gap + t(`consent.root_stays.${terms.time}`)}
      </p>
    </div>
  );
}
