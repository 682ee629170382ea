import type { ConsentCard } from "../../app/bridge/views.ts";
import type { Translate } from "../../i18n/index.ts";
import type { ClientProgram } from "../client/host-port.ts";
import { ask } from "./ask-program.ts";
import type { NotificationButton } from "./shown-notifications.ts";

/**
 * The buttons of a request's notification. It can be denied there, and is allowed nowhere but in front of
 * its card. One that stands for several requests has none: which of them would be denied?
 */
export function requestButtons(
  t: Translate,
  card: Pick<ConsentCard, "request_id" | "folded">,
  program: Pick<ClientProgram, "answer">,
  open: () => void,
): readonly NotificationButton[] {
  if (card.folded !== 0) return [];
  const deny = { request_id: card.request_id, answer: "deny" } as const;
  return [
    { text: t("consent.deny"), chosen: () => void ask(program, "consent.answer", deny) },
    { text: t("desktop.open_request"), chosen: open },
  ];
}
