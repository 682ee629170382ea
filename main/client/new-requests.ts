import { type AgentSigns, labelWith, shownName } from "../../app/bridge/agent-names.ts";
import type { ConsentCard } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import { visibleText } from "../tools/visible-text.ts";

/** Tells, list by list, which requests were not there the time before. */
export function newRequestsFinder(): (cards: readonly ConsentCard[]) => readonly ConsentCard[] {
  let known: ReadonlySet<string> = new Set();
  return (cards) => {
    const before = known;
    known = new Set(cards.map((card) => card.request_id));
    return cards.filter((card) => !before.has(card.request_id));
  };
}

/** Characters of a name in a notification: it names, it does not tell. */
const NAME_CHARS = 64;

/** What the system's notification says of a request: agent and tool only. */
export function requestAnnouncement(
  t: Translate,
  card: Pick<ConsentCard, "agent_name" | "petname" | "tool_name" | keyof AgentSigns>,
): { readonly title: string; readonly body: string } {
  const { agent_name: name, petname, tool_name } = card;
  const drawn = shortName(shownName({ name, petname }));
  const title = labelWith(drawn, card, (kind) => t(`agents.key_is.${kind}`));
  return { title, body: shortName(tool_name) };
}

function shortName(text: string): string {
  const chars = [...visibleText(text)];
  return chars.length <= NAME_CHARS
    ? chars.join("")
    : `${chars.slice(0, NAME_CHARS - 1).join("")}…`;
}
