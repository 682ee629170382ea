import { useEffect, useRef } from "react";
import { type AgentSigns, labelWith, shownName } from "../../app/bridge/agent-views.ts";
import type { ConsentCard } from "../../app/bridge/consent-views.ts";
import { toolLabel } from "../../i18n/index.ts";
import { type Texts, useTexts } from "../language.tsx";
import { type PageNotification, showNotification } from "../page/page-notifications.ts";
import type { ReceivedCard } from "../state/store.ts";
import { visibleString } from "../text/visible-text.ts";

/** Maximum characters of a name in a notification, so that it cannot carry a message. */
const NAME_CHARS = 64;

type Announced = Pick<
  ConsentCard,
  "request_id" | "agent_id" | "agent_name" | "petname" | "tool_name" | "folded" | keyof AgentSigns
>;

/** Agent and tool, but nothing of the arguments: other people may see the screen. */
export const announcement = (
  { t, language }: Pick<Texts, "t" | "language">,
  { request_id, agent_id, agent_name: name, petname, tool_name, folded, ...signs }: Announced,
): PageNotification => ({
  title: labelWith(t, shortened(visibleString(shownName({ name, petname }))), signs),
  ...(folded === 0
    ? { body: shortened(visibleString(toolLabel(language, tool_name))), replaces: request_id }
    : { body: t("notification.folded", { count: folded }), replaces: `folded:${agent_id}` }),
});

function shortened(text: string): string {
  const chars = [...text];
  return chars.length <= NAME_CHARS ? text : `${chars.slice(0, NAME_CHARS - 1).join("")}…`;
}

const NOTHING = (): void => {};

/** Announces requests that arrive while the person looks elsewhere, if the browser allows it. */
export function useAnnounced(waiting: readonly ReceivedCard[], wanted: boolean): void {
  const { t, language } = useTexts();
  const known = useRef<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const before = known.current;
    known.current = new Set(waiting.map(({ card }) => card.request_id));
    if (!wanted || document.hasFocus()) return;
    for (const { card } of waiting) {
      if (!before.has(card.request_id))
        showNotification(announcement({ t, language }, card), NOTHING);
    }
  }, [t, language, waiting, wanted]);
}
