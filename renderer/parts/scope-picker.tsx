import type { ReactNode } from "react";
import type { ScopeView } from "../../app/bridge/agent-views.ts";
import { useTexts } from "../language.tsx";
import { keptState } from "../state/kept-state.ts";
import { AgentSaid } from "./agent-said.tsx";
import { ScopeText, scopeGroups } from "./scope-list.tsx";
import { Tick } from "./tick.tsx";

interface ScopeChoice {
  readonly chosen: ReadonlySet<string>;
  readonly toggle: (id: string) => void;
}

const isTickedAtFirst = ({ sensitivity }: ScopeView): boolean => sensitivity !== "high";
/** Of a program on this computer: each use of a high one is asked about anyway. */
export const isAnyTicked = (): boolean => true;
const isDenied = ({ managed }: ScopeView): boolean => managed === "denied";

const useChosen = keptState<ReadonlySet<string>>();

/** @param question kept for it while other things are shown @param isTicked low and medium */
export function useScopeChoice<Scope extends ScopeView>(
  question: string,
  scopes: readonly Scope[],
  isTicked: (scope: Scope) => boolean = isTickedAtFirst,
): ScopeChoice {
  const [chosen, setChosen] = useChosen(
    question,
    new Set(scopes.filter((each) => isTicked(each) && !isDenied(each)).map(({ id }) => id)),
  );
  const toggle = (id: string): void => {
    setChosen((before) => {
      const after = new Set(before);
      if (!after.delete(id)) after.add(id);
      return after;
    });
  };
  return { chosen, toggle };
}

interface ScopePickerProps {
  readonly scopes: readonly ScopeView[];
  readonly choice: ScopeChoice;
  readonly testPrefix: string;
  readonly legend: string;
  /** Whether our limits hold for the agent. */
  readonly limited: boolean;
  /** Shown below a scope. */
  readonly note?: (scope: ScopeView) => ReactNode;
}

export function NewAgentScopes({
  allTicked = false,
  ...props
}: Omit<ScopePickerProps, "legend" | "note"> & { readonly allTicked?: boolean }) {
  const { t } = useTexts();
  if (props.scopes.length === 0) return <p className="muted">{t("agents.no_scopes")}</p>;
  return (
    <>
      <ScopePicker {...props} legend={t("pairing.pick")} />
      {allTicked ? null : <p className="muted">{t("pairing.preselected")}</p>}
    </>
  );
}

export function ScopePicker({
  scopes,
  choice,
  testPrefix,
  legend,
  limited,
  note,
}: ScopePickerProps) {
  return (
    <fieldset className="scope-picker">
      <legend>{legend}</legend>
      {scopeGroups(scopes, (scope) => scope.sensitivity).map(([level, members]) => (
        <div className="scope-group" key={level}>
          {members.map((scope) => (
            <div className="scope-item" key={scope.id}>
              <Tick
                className="scope-row"
                on={choice.chosen.has(scope.id)}
                isDisabled={isDenied(scope)}
                onChange={() => choice.toggle(scope.id)}
                testId={`${testPrefix}-${scope.id}`}
              >
                <ScopeText scope={scope} limited={limited}>
                  {note?.(scope)}
                </ScopeText>
              </Tick>
              <AgentSaid said={scope.said} scope={scope.id} />
            </div>
          ))}
        </div>
      ))}
    </fieldset>
  );
}
