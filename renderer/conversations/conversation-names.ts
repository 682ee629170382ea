import { lookOf } from "../../app/bridge/agent-names.ts";
import type { ConversationView } from "../../app/bridge/conversation-views.ts";
import type { Translate } from "../../i18n/index.ts";
import type { AgentLabels } from "../text/agent-labels.ts";
import { titleOf } from "./names.ts";

/** What is drawn for each conversation, by its id, away from the list of them. */
export type ConversationNames = ReadonlyMap<string, string>;

/** Letters of an id that tell two conversations apart; all of it stands in the details. */
const TELLING_CHARS = 6;

/**
 * Conversations as the person knows them: by their agent, or by the group's title. Those that would
 * look alike, as a group may take any title, are told apart by the beginning of their ids.
 */
export function conversationNames(
  t: Translate,
  labels: AgentLabels,
  conversations: readonly ConversationView[],
): ConversationNames {
  const named = conversations.map((view) => {
    const title = titleOf(t, labels, view);
    const name = view.kind === "direct" ? t("conversations.with", { agent: title }) : title;
    return { id: view.conversation_id, name };
  });
  const alike = Map.groupBy(named, ({ name }) => lookOf(name));
  return new Map(
    named.map(({ id, name }) => [
      id,
      (alike.get(lookOf(name))?.length ?? 0) > 1 ? `${name} (${id.slice(0, TELLING_CHARS)})` : name,
    ]),
  );
}
