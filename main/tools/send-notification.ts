import { sendNotification } from "../../app/contract/tools/send-notification.ts";
import type { ArgumentsOf } from "../../app/contract/tools/tool-contract.ts";
import { type Tool, type ToolContext, toolUnavailable } from "../../app/execution/ports.ts";
import type { Translate } from "../../i18n/index.ts";
import { defineTool } from "./define-tool.ts";
import { type Folding, foldedWords, visibleText } from "./platform/notification-fold.ts";
import {
  type NotificationText,
  type PlatformServices,
  platformCall,
  provided,
} from "./platform/platform-services.ts";

export interface NotificationParts {
  readonly platform: PlatformServices;
  /** Decides which notifications are only counted. */
  readonly folding: Folding;
  /** In the language that the person uses at that moment. */
  readonly texts: () => Translate;
  /** False while the person has notifications switched off. */
  readonly wanted: () => boolean;
  /** What the program calls an agent, as plain text; null: the name it claims. */
  readonly label: (agentId: string) => string | null;
}

/** Where a notification comes from; `name` is what the program calls the agent. */
type From = Pick<ToolContext, "agent_id" | "conversation_id"> & { readonly name: string };

/** `send_notification` (contract §4). */
export function sendNotificationTool(parts: NotificationParts): Tool {
  const { platform, folding, texts, wanted, label } = parts;
  const refuseUnwanted = (): void => {
    if (!wanted()) throw toolUnavailable("switched_off");
  };
  return defineTool(sendNotification, {
    available: () => platform.notifications() !== null,
    // If a manifest makes the person be asked first, they are not asked about what would be refused
    // anyway.
    async preview() {
      refuseUnwanted();
      return { shown: null, seen: null };
    },
    run(args, context) {
      return platformCall("notification_error", context.signal, async () => {
        refuseUnwanted();
        const service = provided(platform.notifications());
        const { agent_id, agent_name, conversation_id } = context;
        const folded = folding.folded(agent_id);
        const name = label(agent_id) ?? visibleText(agent_name);
        const from = { agent_id, conversation_id, name };
        const text =
          folded === 0 ? ownNotification(args, from) : foldedNotification(folded, from, texts());
        await service.show(text, context.signal);
        return { shown: true, folded: folded > 0 };
      });
    },
  });
}

/** The agent's name always comes first, so that no agent can pose as the system. */
function ownNotification(args: ArgumentsOf<typeof sendNotification>, from: From): NotificationText {
  return {
    ...placeOf(from),
    title: `${from.name}: ${visibleText(args.title)}`,
    body: visibleText(args.body ?? ""),
    replaces: null,
    folded: 0,
  };
}

const foldedNotification = (count: number, from: From, t: Translate): NotificationText => ({
  ...placeOf(from),
  title: from.name,
  ...foldedWords(from.agent_id, count, t),
});

const placeOf = (from: From) => ({
  agentName: from.name,
  agentId: from.agent_id,
  conversationId: from.conversation_id,
});
