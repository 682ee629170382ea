import type { CallResult } from "../../../app/bridge/calls.ts";
import type { ConversationView, MessageItem } from "../../../app/bridge/conversation-views.ts";
import { errorCode } from "../../bridge/error-code.ts";
import { useHost } from "../../host-context.tsx";

/** Reads what is played of a voice message; null: it could not be read. */
export function useRecording({ item_id }: MessageItem, { conversation_id }: ConversationView) {
  const { bridge, setFailure } = useHost();
  return async (): Promise<CallResult<"conversations.voice"> | null> => {
    try {
      return await bridge.call("conversations.voice", { conversation_id, item_id });
    } catch (error) {
      setFailure(errorCode(error));
      return null;
    }
  };
}
