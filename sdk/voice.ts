import { fromBase64 } from "../app/protocol/v1/base64.ts";
import {
  encodeVoice,
  readVoice,
  VOICE_SUBTYPE,
  voiceOf,
} from "../app/protocol/v1/voice-messages.ts";
import { conversationId } from "./content.ts";
import type { InboundMessage } from "./events.ts";
import type { VoiceContent } from "./outbound.ts";
import type { OutboundMessage } from "./sealed-outbox.ts";
import { SendError } from "./send-error.ts";

/** A voice message that arrived. */
export interface ReceivedVoice extends VoiceContent {
  /** By its bytes, whatever its sender calls it. The audio is Opus. */
  readonly mime: "audio/webm" | "audio/ogg";
}

/**
 * The voice message in a message. `undefined`: it has none, or one that is too large, too long or of
 * another type. Not more than the beginning of the recording is looked at: treat the rest as foreign.
 */
export function voiceIn({ payload }: Pick<InboundMessage, "payload">): ReceivedVoice | undefined {
  const voice = readVoice(payload);
  if (voice === undefined || "fault" in voice) return undefined;
  const { data, ...about } = voice;
  const bytes = fromBase64(data);
  return bytes && { ...about, data: bytes };
}

/**
 * @throws SendError `conversation_id_invalid`, `voice_malformed`, `voice_type_unknown`,
 *   `voice_too_long`, `voice_too_large`
 */
export function voiceMessage(
  id: string,
  { data, duration_s, transcript }: VoiceContent,
): OutboundMessage {
  const voice = voiceOf(data, duration_s, transcript);
  if ("fault" in voice) throw new SendError(voice.fault);
  return {
    conversation_id: conversationId(id),
    content_type: "artifact",
    msg_subtype: VOICE_SUBTYPE,
    plaintext: encodeVoice(voice),
    call_id: null,
  };
}
