import { type AgentSigns, labelWith, shownName } from "../../../app/bridge/agent-names.ts";
import type { ConsentCard } from "../../../app/bridge/views.ts";
import type { Translate } from "../../../i18n/index.ts";
import { foldedWords, shortened, visibleText } from "../../tools/platform/notification-fold.ts";
import type { NotificationText } from "../../tools/platform/platform-services.ts";

/** Returns the requests of each list that were not in the previous one. */
export function newRequestsFinder(): (cards: readonly ConsentCard[]) => readonly ConsentCard[] {
  let known: ReadonlySet<string> = new Set();
  return (cards) => {
    const before = known;
    known = new Set(cards.map((card) => card.request_id));
    return cards.filter((card) => !before.has(card.request_id));
  };
}

/** Characters of a name in a notification, too few for a message. */
const NAME_CHARS = 64;

type Announced = Pick<
  ConsentCard,
  | "agent_id"
  | "conversation_id"
  | "agent_name"
  | "petname"
  | "tool_name"
  | "folded"
  | keyof AgentSigns
>;

/** The system's notification of a request: agent and tool only. */
export function requestAnnouncement(t: Translate, card: Announced): NotificationText {
  const { agent_id, conversation_id, agent_name: name, petname, tool_name, folded } = card;
  const drawn = shortName(shownName({ name, petname }));
  const title = labelWith(drawn, card, (kind) => t(`agents.key_is.${kind}`));
  const from = { agentId: agent_id, conversationId: conversation_id, agentName: title, title };
  return folded === 0
    ? { ...from, body: shortName(tool_name), replaces: null, folded }
    : { ...from, ...foldedWords(agent_id, folded, t) };
}

const shortName = (name: string): string => shortened(visibleText(name), NAME_CHARS);
