import type { ChangeSubject, ManifestChangeView } from "../../app/bridge/manifest-views.ts";
import { useTexts } from "../language.tsx";
import { Icon } from "../parts/icon.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

interface ManifestDiffProps {
  readonly changes: readonly ManifestChangeView[];
  readonly inAll: number;
}

/** A new manifest's changes by tool and scope; those that need consent again are marked. */
export function ManifestDiff({ changes, inAll }: ManifestDiffProps) {
  const { t } = useTexts();
  if (inAll === 0) return <p data-testid="manifest-same">{t("manifest.no_changes")}</p>;
  const breaking = changes.filter((change) => change.breaking).length;
  return (
    <section className="manifest-diff" data-testid="manifest-diff">
      <h4>{t("manifest.changes", { count: inAll })}</h4>
      {breaking === 0 ? (
        <p className="muted">{t("manifest.none_breaking")}</p>
      ) : (
        <p className="caution">{t("manifest.some_breaking", { count: breaking })}</p>
      )}
      {changeGroups(changes).map((group) => (
        <Group group={group} key={group.key} />
      ))}
      {inAll > changes.length ? (
        <p className="muted">{t("manifest.more_changes", { count: inAll - changes.length })}</p>
      ) : null}
    </section>
  );
}

function Group({ group }: { readonly group: ChangeGroup }) {
  const { t } = useTexts();
  const { subject, changes } = group;
  return (
    <div className="change-group" data-breaking={group.breaking}>
      <h5>
        {t(`manifest.subject.${subject.kind}`)}
        {subject.name === null ? null : (
          <>
            {" "}
            <VisibleText within="code" text={subject.name} />
          </>
        )}
      </h5>
      <ul>
        {changes.map((change) => (
          <Change change={change} key={`${change.kind} ${change.pointer}`} />
        ))}
      </ul>
    </div>
  );
}

const SIGNS = { added: "+", scope_added: "+", required_added: "+", removed: "−" } as const;
const signOf = (kind: string): string =>
  Object.entries(SIGNS).find(([each]) => each === kind)?.[1] ?? "~";

function Change({ change }: { readonly change: ManifestChangeView }) {
  const { t } = useTexts();
  const { kind, pointer, breaking, scope, before, after } = change;
  return (
    <li
      className="change"
      data-testid="manifest-change"
      data-kind={kind}
      data-breaking={breaking}
      data-pointer={pointer}
    >
      <span className="change-sign mono" aria-hidden="true">
        {signOf(kind)}
      </span>
      <span className="change-words">
        {t(`manifest.change.${kind}`)} <VisibleText within="code" text={pointer} />
      </span>
      {breaking ? (
        <span className="badge badge-medium">
          <Icon name="medium" />
          {t("manifest.breaking")}
          {scope === null ? null : (
            <>
              {" · "}
              <VisibleText text={scope} />
            </>
          )}
        </span>
      ) : null}
      <dl className="change-values">
        <Value name={t("manifest.before")} text={before} />
        <Value name={t("manifest.after")} text={after} />
      </dl>
    </li>
  );
}

interface ValueProps {
  readonly name: string;
  /** Null: there is none. */
  readonly text: string | null;
}

function Value({ name, text }: ValueProps) {
  const { t } = useTexts();
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {text === null ? (
          <span className="muted">{t("manifest.no_value")}</span>
        ) : (
          <VisibleText within="code" text={text} />
        )}
      </dd>
    </div>
  );
}

interface ChangeGroup {
  readonly key: string;
  readonly subject: ChangeSubject;
  readonly breaking: boolean;
  readonly changes: readonly ManifestChangeView[];
}

/** The changes by tool and scope: breaking ones first, otherwise in their order. */
export function changeGroups(changes: readonly ManifestChangeView[]): readonly ChangeGroup[] {
  const groups = Map.groupBy(changes, ({ subject: { kind, name } }) => `${kind} ${name ?? ""}`);
  return [...groups]
    .flatMap(([key, own]): readonly ChangeGroup[] => {
      const [first] = own;
      if (first === undefined) return [];
      const breaking = own.some((change) => change.breaking);
      return [{ key, subject: first.subject, breaking, changes: own }];
    })
    .toSorted((one, other) => Number(other.breaking) - Number(one.breaking));
}

/** The offset of a line and column (counted from 1) in the text. */
export function offsetOf(text: string, line: number, column: number): number {
  let start = 0;
  for (let passed = 1; passed < line; passed += 1) {
    const end = text.indexOf("\n", start);
    if (end === -1) return text.length;
    start = end + 1;
  }
  return Math.min(start + column - 1, text.length);
}
