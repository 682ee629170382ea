import type { ReactNode } from "react";
import type { AgentDetails } from "../../app/bridge/agent-views.ts";
import { folderAbove } from "../../app/contract/folder-path.ts";
import { shortPath } from "../consent/offers.ts";
import { useTexts } from "../language.tsx";
import { CallFold } from "../parts/fold.tsx";
import { VisibleText } from "../parts/visible-text.tsx";

/** Something that the person gave an agent or decided about it, with one button that ends it. */
export interface PermissionLine {
  readonly id: string;
  readonly testId: string;
  readonly data?: Readonly<Record<`data-${string}`, string | number>>;
  readonly what: ReactNode;
  readonly about?: string;
  /** What it is about, whole. */
  readonly path?: string | undefined;
  readonly notes?: readonly string[];
  readonly beside?: ReactNode;
  /** The words of the button, as seen and as read out, and its test id. */
  readonly end: readonly [seen: string, testId: string, heard?: string];
  readonly act: () => Promise<unknown>;
  /** Equal for those that differ in the last name of their path alone: they are one line. */
  readonly alike?: string | false;
}

interface PermissionLinesProps {
  readonly agent: AgentDetails;
  readonly title: string;
  readonly lines: readonly PermissionLine[];
  /** In place of no lines. */
  readonly none?: string;
  /** Paths may be folders too. */
  readonly mixed?: boolean;
}

/** Such lines under a heading. */
export function PermissionLines({
  agent,
  title,
  lines,
  none,
  mixed = false,
}: PermissionLinesProps) {
  const { t } = useTexts();
  const groups = Map.groupBy(lines, ({ id, alike, path }) => {
    const folder = alike === undefined || alike === false ? null : folderAbove(path ?? "");
    return folder === null ? id : `${folder} ${alike}`;
  });
  return (
    <>
      <h3>{title}</h3>
      {lines.length === 0 && none !== undefined ? <p className="muted">{none}</p> : null}
      <ul className="rows">
        {[...groups.values()].map((group) => {
          const [line] = group;
          if (line === undefined) return null;
          if (group.length === 1) return <Line line={line} key={line.id} />;
          const folder = inFolders(agent, { path: folderAbove(line.path ?? "") ?? "" }).path;
          const about = t(`permissions.alike_${mixed ? "places" : "files"}`, {
            count: group.length,
            folder,
          });
          return <Line line={{ ...line, about, path: undefined }} group={group} key={line.id} />;
        })}
      </ul>
    </>
  );
}

/** With the path from the agent's folder on; whole if it is in none. */
export function inFolders<T extends object>({ roots }: AgentDetails, subject: T): T {
  if (!("path" in subject) || typeof subject.path !== "string") return subject;
  const folders = roots.filter(({ only_file }) => !only_file).map(({ path }) => path);
  return { ...subject, path: shortPath(subject.path, folders) };
}

interface LineProps {
  readonly line: PermissionLine;
  /** All that it stands for, each a fold away. */
  readonly group?: readonly PermissionLine[];
}

function Line({ line, group }: LineProps) {
  const { t } = useTexts();
  const { what, about, path, notes = [], beside, testId, end, act } = line;
  const [seen, endId, heard] = end;
  const endAll = async (): Promise<void> => {
    for (const each of group ?? []) await each.act();
  };
  const isAlone = group === undefined;
  return (
    <li
      className="row permission-row"
      {...line.data}
      data-testid={isAlone ? testId : `alike-${testId}`}
    >
      <span className="grow permission-words">
        <span>{what}</span>
        {about === undefined ? null : (
          <span className="permission-about" title={path} data-testid={`${testId}-about`}>
            <VisibleText text={about} />
          </span>
        )}
        <span className="muted">
          <VisibleText text={(isAlone ? notes : notes.slice(0, 1)).join(" · ")} />
        </span>
      </span>
      {isAlone ? beside : null}
      <button
        type="button"
        className="quiet"
        data-testid={isAlone ? endId : `${endId}-alike`}
        aria-label={isAlone ? heard : undefined}
        onClick={() => void (isAlone ? act() : endAll())}
      >
        {seen}
      </button>
      {isAlone ? null : (
        <CallFold title={t("permissions.each")} testId="alike-each">
          <ul className="rows">
            {group.map((each) => (
              <Line line={each} key={each.id} />
            ))}
          </ul>
        </CallFold>
      )}
    </li>
  );
}
