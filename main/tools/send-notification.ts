import type { SendNotificationArguments } from "../../app/contract/tools/send-notification.ts";
import { type Tool, ToolFailure } from "../../app/execution/ports.ts";
import { platformCall } from "./platform-call.ts";
import type { NotificationText, PlatformServices } from "./platform-services.ts";
import { visibleText } from "./visible-text.ts";

/** `send_notification` (contract §4). Result: `SendNotificationResult`. */
export function sendNotificationTool(platform: PlatformServices): Tool {
  return {
    available: () => platform.notifications() !== null,
    preflight: () => null,
    async run(args, context) {
      // The catalogue's schema has accepted `args` before any tool sees them (contract §2.4).
      const text = notificationText(args as SendNotificationArguments, context);
      await platformCall("notification_error", context.signal, async () => {
        const service = platform.notifications();
        if (service === null) throw new ToolFailure("notification_error");
        await service.show(text, context.signal);
      });
      return { shown: true };
    },
  };
}

/** The agent's name always comes first, so that no agent can speak as the system. */
function notificationText(
  args: SendNotificationArguments,
  from: { readonly agent_name: string; readonly conversation_id: string },
): NotificationText {
  const agentName = visibleText(from.agent_name);
  return {
    title: `${agentName}: ${visibleText(args.title)}`,
    body: visibleText(args.body ?? ""),
    agentName,
    conversationId: from.conversation_id,
  };
}
