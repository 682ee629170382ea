import type { AgentWords } from "../../app/bridge/agent-views.ts";
import { isOwnScopeLabel, toolLabel } from "../../i18n/index.ts";
import { useTexts } from "../language.tsx";
import { VisibleText } from "./visible-text.tsx";

interface AgentSaidProps {
  readonly said: AgentWords;
  /** Whose label is not said again if it is ours; an agent's own also is the title above, unmarked. */
  readonly scope: string;
}

/** What an agent says of itself, marked as its words: below ours, and with nothing in them unseen. */
export function AgentSaid({ said, scope }: AgentSaidProps) {
  const { t } = useTexts();
  const own = ownLabel(scope, said);
  if (!saysSomething(scope, said)) return null;
  return (
    <span className="agent-said" data-testid="agent-said">
      <span className="agent-said-title">{t("agents.said")}</span>
      {own === null ? null : <Quoted text={own} />}
      {said.description === null ? null : <Quoted text={said.description} />}
      {said.tools.map(({ name, words }) => (
        <SaidOfTool name={name} words={words} key={name} />
      ))}
      {said.more === 0 ? null : <span>{t("agents.said_more", { count: said.more })}</span>}
    </span>
  );
}

const ownLabel = (scope: string, { label }: AgentWords): string | null =>
  label === null || isOwnScopeLabel(scope, label) ? null : label;

/** Whether there is anything of its own. */
export const saysSomething = (scope: string, said: AgentWords): boolean =>
  ownLabel(scope, said) !== null || said.description !== null || said.tools.length > 0;

const Quoted = ({ text }: { readonly text: string }) => <VisibleText within="span" text={text} />;

/** Beside what the tool is: one with our name may be described as something else. */
function SaidOfTool({ name, words }: AgentWords["tools"][number]) {
  const { t, language } = useTexts();
  return <Quoted text={t("app.labelled", { label: toolLabel(language, name), text: words })} />;
}
