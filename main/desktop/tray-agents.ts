import { isDeepStrictEqual } from "node:util";
import { labelWith, shownName } from "../../app/bridge/agent-names.ts";
import type { AgentCard } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { shortened } from "../tools/platform/shortened.ts";
import { visibleText } from "../tools/platform/visible-text.ts";

/** More would not fit on a screen; the page has them all. */
const SHOWN_AT_MOST = 20;
/** Characters of a name in a menu. */
const NAME_CHARS = 64;

interface TrayAgent {
  readonly agentId: string;
  readonly label: string;
  readonly suspended: boolean;
}

export interface TrayAgents {
  readonly shown: readonly TrayAgent[];
  /** There are more than are shown. */
  readonly more: boolean;
}

/** The agents that can be suspended and resumed, as the tray's menu names them. */
export function trayAgents(t: Translate, agents: readonly AgentCard[]): TrayAgents {
  const living = agents.filter(({ relation }) => relation !== "revoked");
  const shown = living.slice(0, SHOWN_AT_MOST).map((agent) => ({
    agentId: agent.agent_id,
    label: labelWith(shortened(visibleText(shownName(agent)), NAME_CHARS), agent, (kind) =>
      t(`agents.key_is.${kind}`),
    ),
    suspended: agent.relation === "suspended",
  }));
  return { shown, more: living.length > shown.length };
}

export const isSameInTray = (
  t: Translate,
  one: readonly AgentCard[],
  other: readonly AgentCard[],
): boolean => isDeepStrictEqual(trayAgents(t, one), trayAgents(t, other));
