import type {
  ConversationView,
  MessageItem,
  VoiceView,
} from "../../../app/bridge/conversation-views.ts";
import { useTexts } from "../../language.tsx";
import { blobOf } from "../../parts/base64.ts";
import { VisibleText } from "../../parts/visible-text.tsx";
import { useRecording } from "./use-recording.ts";
import { VoicePlayer } from "./voice-player.tsx";

interface VoiceMessageProps {
  readonly item: MessageItem;
  readonly voice: VoiceView;
  readonly view: ConversationView;
}

/** A voice message in the conversation, with what its sender wrote down of it. */
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
