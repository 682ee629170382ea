import type { CallResult } from "../../../app/bridge/calls.ts";
import type {
  ConversationView,
  MessageItem,
  VoiceView,
} from "../../../app/bridge/conversation-views.ts";
import { errorCode } from "../../bridge/page-bridge.ts";
import { useHost } from "../../host-context.tsx";
import { useTexts } from "../../language.tsx";
import { blobOf } from "../../parts/files.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { VoicePlayer } from "./voice-player.tsx";

interface VoiceMessageProps {
  readonly item: MessageItem;
  readonly voice: VoiceView;
  readonly view: ConversationView;
}

export function VoiceMessage({ item, voice, view }: VoiceMessageProps) {
  const { t } = useTexts();
  const recording = useRecording(item, view);
  if (voice.fault !== null) {
    return (
      <p className="muted" data-testid="voice-fault" data-fault={voice.fault}>
        {t(`voice.fault.${voice.fault}`)}
      </p>
    );
  }
  const load = async (): Promise<Blob | null> => {
    const read = await recording();
    return read && blobOf(read.data, read.mime);
  };
  return (
    <>
      <VoicePlayer load={load} duration_s={voice.duration_s} />
      {item.text === "" ? null : (
        <p className="plain-block voice-transcript" dir="auto">
          <VisibleText text={item.text} block />
        </p>
      )}
    </>
  );
}

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
