import type { AgentCard, QuietPeriodView, ScopeView } from "../../app/bridge/views.ts";
import { hostText } from "../../app/contract/network-host.ts";
import type { RuleSubject } from "../../app/contract/rule-subject.ts";

/** Displayed names, in the person's language. */
export interface ShownNames {
  scope(scope: ScopeView): string;
  tool(toolName: string): string;
  about(subject: RuleSubject): string;
  covers(period: QuietPeriodView): string;
}

const folded = (text: string): string => text.normalize("NFKC").toLowerCase();

/** As displayed, and as a single word. */
const keyTexts = ({ key_mark: key }: AgentCard): readonly string[] =>
  key.kind === "known" ? [key.fingerprint, key.fingerprint.replaceAll(" ", "")] : [];

/**
 * Which of an agent's permissions match the search text; null: none. If the agent itself matches,
 * all of them do.
 */
export function foundPermissions(
  agent: AgentCard,
  typed: string,
  names: ShownNames,
): AgentCard | null {
  const wanted = folded(typed.trim());
  const fits = (...texts: readonly string[]): boolean =>
    texts.some((text) => folded(text).includes(wanted));
  if (fits(agent.name, agent.petname ?? "", ...keyTexts(agent))) return agent;
  const scopes = new Map(agent.grants.map(({ scope }) => [scope.id, names.scope(scope)]));
  const scopeFits = (id: string): boolean => fits(id, scopes.get(id) ?? "");
  const found = {
    ...agent,
    grants: agent.grants.filter(({ scope, state }) => state === "granted" && scopeFits(scope.id)),
    quiet_periods: agent.quiet_periods.filter(
      (period) => scopeFits(period.scope) || fits(period.conversation_id, names.covers(period)),
    ),
    rules: agent.rules.filter(({ covers, subject }) =>
      fits(covers, scopes.get(covers) ?? names.tool(covers), names.about(subject)),
    ),
    roots: agent.roots.filter(({ path }) => fits(path)),
    hosts: agent.hosts.filter((host) => fits(hostText(host))),
  };
  const lists = [found.grants, found.quiet_periods, found.rules, found.roots, found.hosts];
  return lists.some((list) => list.length > 0) ? found : null;
}
